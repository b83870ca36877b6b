// The pipe of Outrigger's own program, which the browser starts for us if it is
// registered. It knows where the hub is and shows the credential there, so that the
// user pastes none. Frames are what they are on a socket; large ones come in parts.
import { type HostMessage, MAX_FRAME_BYTES, NATIVE_HOST } from "../../protocol/generated";
import { frameOf, parseFrame } from "./frames";
import { GIVEN_UP, NO_HOST, NO_WORD, type OpenTransport } from "./transport";

export const overNativeHost: OpenTransport = ({ opened, frame, closed }) => {
  const port = chrome.runtime.connectNative(NATIVE_HOST);
  let parts: string[] = [];
  let size = 0;
  let isHeard = false;
  const isTooLarge = () => size > MAX_FRAME_BYTES;
  const take = ({ text, last }: { text: string; last: boolean }) => {
    size += text.length;
    if (isTooLarge()) {
      port.disconnect();
      closed(GIVEN_UP, "a frame that is too large");
      return;
    }
    parts.push(text);
    if (!last) return;
    const whole = parts.join("");
    parts = [];
    size = 0;
    frame(parseFrame(whole));
  };
  port.onMessage.addListener((message: unknown) => {
    isHeard = true;
    if (isTooLarge()) return;
    const told = message as HostMessage;
    if (told?.type === "native_chunk") take(told);
    else if (told?.type === "native_closed") closed(told.code, told.reason);
    else frame(frameOf(message));
  });
  port.onDisconnect.addListener(() => {
    // Chrome complains of an error that nobody has looked at.
    void chrome.runtime.lastError;
    closed(isHeard ? NO_WORD : NO_HOST, "");
  });
  queueMicrotask(opened);
  return {
    // The pipe takes values, and writes them down as they were.
    send: (text) => port.postMessage(JSON.parse(text)),
    close: () => port.disconnect(),
  };
};
