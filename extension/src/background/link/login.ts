// The browser's login: the pairing token, which the user pasted, is exchanged once
// for a pair of tokens and forgotten. The access token lives shortly and is shown to
// the hub; the refresh token is good for one new pair. Only the worker has them.
import { BUILD } from "../../build";
import { httpUrl } from "./address";
import { clientId, readSettings, writeSettings } from "./settings";

/**
 * Why there is no login any more. `reused`: somebody else may have its tokens. `left`:
 * the user wanted it so; `leftUntold`: so did they, and the hub could not be told.
 */
export type LoginEnd = "reused" | "ended" | "left" | "leftUntold";

export type Access =
  | { kind: "token"; accessToken: string }
  /** Nothing to show but the pairing token, if there is one. */
  | { kind: "none" }
  | { kind: "ended"; why: LoginEnd }
  /** The hub listens to no token for so long. */
  | { kind: "later"; afterMs: number };

export const LOGIN_PROBLEMS: Record<LoginEnd, string> = {
  reused:
    "Somebody else used this browser's login, so the hub ended it. Run `outrigger pair` and paste the token in Options.",
  ended: "The hub ended this browser's login. Run `outrigger pair` and paste the token in Options.",
  left: "You disconnected this browser. To pair it again, run `outrigger pair` and paste the token in Options.",
  leftUntold:
    "You disconnected this browser, but the hub could not be told. Run `outrigger pair --rotate`, which ends every login, and paste the new token in Options to pair it again.",
};

/** An access token that ends sooner is replaced first. */
const MARGIN_MS = 60_000;
const ANSWER_WITHIN_MS = 10_000;
/** Too many wrong tokens were shown, by whomever. */
const TOO_MANY = 429;
/** Where a hub that listens to nobody doesn't say for how long. */
const LATER_MS = 60_000;

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

  /** The user wants no login here any more. */
  async leave(hub: string): Promise<void> {
    const access = await this.access(hub);
    // Forgotten before the hub is told, whatever becomes of this worker meanwhile.
    await Promise.all([this.end("leftUntold"), writeSettings({ pairingToken: "" })]);
    if (access.kind === "later") return;
    if (access.kind !== "token" || (await endAt(hub, access.accessToken))) await this.end("left");
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
    if (answer?.status === TOO_MANY) return later(answer);
    // The handshake with the pairing token then finds out what is wrong.
    if (!answer?.ok) return { kind: "none" };
    return keep((await answer.json()) as Pair);
  }

  async #refresh(hub: string, refreshToken: string): Promise<Access> {
    const answer = await post(httpUrl(hub, "/auth/session/refresh"), { refreshToken });
    if (answer?.ok) return keep((await answer.json()) as Pair);
    if (answer?.status === TOO_MANY) return later(answer);
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

/** Whether there is no such login any more. */
async function endAt(hub: string, accessToken: string): Promise<boolean> {
  if (accessToken === "") return false;
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await ask("DELETE", httpUrl(hub, "/auth/session"), headers);
  return answer?.ok === true || answer?.status === 401;
}

function later(answer: Response): Access {
  const seconds = Number(answer.headers.get("retry-after"));
  return { kind: "later", afterMs: seconds > 0 ? seconds * 1_000 : LATER_MS };
}

function post(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response | undefined> {
  const all = { "content-type": "application/json", ...headers };
  return ask("POST", url, all, JSON.stringify(body));
}

/** Nothing where nobody answers. */
async function ask(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    return await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) });
  } catch {
    return undefined;
  }
}

function isAccess(value: unknown): value is { accessToken: string; expiresAt: number } {
  return typeof value === "object" && value !== null && "accessToken" in value;
}
