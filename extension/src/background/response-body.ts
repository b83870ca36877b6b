// The text of an answer, where it has one, or the reason why there is none.
import type { NetworkDetail } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { sendDebuggerCommand } from "./debugger";
import { finished, type Recorded } from "./network-requests";

const LONGEST_BODY = 200_000;

/** Whoever asks right after an action that it caused need not ask again. */
const PATIENCE_MS = 1500;

const TEXTUAL = /^text\/|json|javascript|ecmascript|xml|x-www-form-urlencoded/i;
/** What a media type is made of. Anything else a server may say is not repeated. */
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;

type Body = Pick<NetworkDetail, "body" | "noBody">;

export async function responseBody(tabId: number, recorded: Recorded): Promise<Body> {
  const { told, requestId, sessionId, isRedirect } = recorded;
  if (told.messages) return { noBody: "What a WebSocket's messages say is not kept." };
  await finished(recorded, PATIENCE_MS);
  if (!recorded.isFinished) return { noBody: "The request has not finished." };
  if (isRedirect) return { noBody: "It is a redirect, which has no body." };
  if (told.failed) return { noBody: "The request failed." };
  if (!TEXTUAL.test(told.mime ?? "")) return { noBody: describe(told.mime ?? "", told.bytes ?? 0) };
  try {
    const { body, base64Encoded } = await sendDebuggerCommand<{
      body: string;
      base64Encoded: boolean;
    }>(tabId, "Network.getResponseBody", { requestId }, sessionId);
    const text = base64Encoded ? decoded(body) : body;
    return { body: text.slice(0, LONGEST_BODY) };
  } catch (error) {
    if (error instanceof Refused) throw error;
    return { noBody: "The browser has dropped it." };
  }
}

function describe(mime: string, bytes: number): string {
  const size = `${bytes.toLocaleString("en-US")} ${bytes === 1 ? "byte" : "bytes"}`;
  if (!MEDIA_TYPE.test(mime)) return `It is of an unknown type, of ${size}.`;
  return `It is ${/^[aeiou]/i.test(mime) ? "an" : "a"} ${mime} of ${size}.`;
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
}
