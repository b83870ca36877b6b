// The browser's login: the pairing token, which the user pasted, is exchanged once
// for a pair of tokens and forgotten. The access token lives shortly and is shown to
// the hub; the refresh token is good for one new pair. Only the worker has them.
import { BUILD } from "../../build";
import { httpUrl } from "./address";
import { clientId, readSettings, writeSettings } from "./settings";

/** Why there is no login any more. `reused`: somebody else may have its tokens. */
export type LoginEnd = "reused" | "ended";

export type Access =
  | { kind: "token"; accessToken: string }
  /** Nothing to show but the pairing token, if there is one. */
  | { kind: "none" }
  | { kind: "ended"; why: LoginEnd };

export const LOGIN_PROBLEMS: Record<LoginEnd, string> = {
  reused:
    "Somebody else used this browser's login, so the hub ended it. Run `outrigger pair` and paste the token in Options.",
  ended: "The hub ended this browser's login. Run `outrigger pair` and paste the token in Options.",
};

/** An access token that ends sooner is replaced first. */
const MARGIN_MS = 60_000;
const ANSWER_WITHIN_MS = 10_000;

interface Pair {
  accessToken: string;
  expiresAt: number;
  refreshToken: string;
}

export class Login {
  #asking: { hub: string; access: Promise<Access> } | undefined;

  /**
   * What to show to the hub. One question at a time: a refresh token that is used
   * twice ends the login.
   */
  access(hub: string): Promise<Access> {
    if (this.#asking?.hub === hub) return this.#asking.access;
    const before = this.#asking?.access ?? Promise.resolve();
    const asking = { hub, access: before.catch(() => {}).then(() => this.#find(hub)) };
    this.#asking = asking;
    const forget = () => {
      if (this.#asking === asking) this.#asking = undefined;
    };
    asking.access.then(forget, forget);
    return asking.access;
  }

  /** The access token was not accepted: the next one is a new one. */
  async forgetAccess(): Promise<void> {
    await chrome.storage.session.remove("access");
  }

  /** Forgets it all, and why; the user pairs again. */
  async end(why: LoginEnd): Promise<void> {
    await forgetLogin();
    await writeSettings({ loginEnded: why });
  }

  async #find(hub: string): Promise<Access> {
    const { access } = await chrome.storage.session.get("access");
    if (isAccess(access) && access.expiresAt - Date.now() > MARGIN_MS) {
      return { kind: "token", accessToken: access.accessToken };
    }
    const { pairingToken, refreshToken } = await readSettings();
    if (refreshToken !== "") return this.#refresh(hub, refreshToken);
    // Without a permission for the hub's address the lite build can't ask there.
    if (pairingToken === "" || BUILD === "lite") return { kind: "none" };
    return this.#begin(hub, pairingToken);
  }

  async #begin(hub: string, pairingToken: string): Promise<Access> {
    const answer = await post(
      httpUrl(hub, "/auth/session/extension-token"),
      { clientId: await clientId() },
      { authorization: `Bearer ${pairingToken}` },
    );
    // The handshake with the pairing token then finds out what is wrong.
    if (!answer?.ok) return { kind: "none" };
    return keep((await answer.json()) as Pair);
  }

  async #refresh(hub: string, refreshToken: string): Promise<Access> {
    const answer = await post(httpUrl(hub, "/auth/session/refresh"), { refreshToken });
    if (answer?.ok) return keep((await answer.json()) as Pair);
    // No hub, or one that can't say: shown as it is, the socket says why.
    if (answer?.status !== 401) return { kind: "token", accessToken: "" };
    const { code } = (await answer.json().catch(() => ({}))) as { code?: string };
    const why = code === "refresh_reused" ? "reused" : "ended";
    await this.end(why);
    return { kind: "ended", why };
  }
}

/** The tokens themselves; a login that is forgotten here the hub still knows. */
export async function forgetLogin(): Promise<void> {
  await Promise.all([writeSettings({ refreshToken: "" }), chrome.storage.session.remove("access")]);
}

async function keep({ accessToken, expiresAt, refreshToken }: Pair): Promise<Access> {
  // The refresh token first: without it the next worker has lost the login.
  await writeSettings({ refreshToken, pairingToken: "", loginEnded: "" });
  await chrome.storage.session.set({ access: { accessToken, expiresAt } });
  return { kind: "token", accessToken };
}

async function post(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response | undefined> {
  try {
    return await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  } catch {
    return undefined;
  }
}

function isAccess(value: unknown): value is { accessToken: string; expiresAt: number } {
  return typeof value === "object" && value !== null && "accessToken" in value;
}
