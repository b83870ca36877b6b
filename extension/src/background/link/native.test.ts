import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_FRAME_BYTES, NATIVE_HOST } from "../../protocol/generated";
import type { HubFrame } from "./frames";
import { overNativeHost } from "./native";
import { GIVEN_UP, NO_HOST, NO_WORD } from "./transport";

const port = {
  posted: [] as unknown[],
  say: (_: unknown) => {},
  end: () => {},
  disconnect: vi.fn(),
  postMessage: (message: unknown) => port.posted.push(message),
  onMessage: {
    addListener: (listener: (message: unknown) => void) => {
      port.say = listener;
    },
  },
  onDisconnect: {
    addListener: (listener: () => void) => {
      port.end = listener;
    },
  },
};
const connectNative = vi.fn((_: string) => port);
const looked = vi.fn();

let frames: HubFrame[];
const events = { opened: vi.fn(), frame: (frame: HubFrame) => frames.push(frame), closed: vi.fn() };

beforeEach(() => {
  frames = [];
  port.posted = [];
  vi.clearAllMocks();
  const runtime = {
    connectNative,
    get lastError() {
      looked();
      return { message: "Specified native messaging host not found." };
    },
  };
  vi.stubGlobal("chrome", { runtime });
});
afterEach(() => vi.unstubAllGlobals());

describe("the native host", () => {
  it("is called by its name, and told frames as they are", async () => {
    const transport = overNativeHost(events);
    expect(connectNative).toHaveBeenCalledWith(NATIVE_HOST);
    expect(events.opened).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(events.opened).toHaveBeenCalledOnce();
    transport.send('{"type":"ping"}');
    expect(port.posted).toEqual([{ type: "ping" }]);
    port.say({ type: "cancel", id: "msg-1" });
    expect(frames).toEqual([{ kind: "cancel", id: "msg-1" }]);
  });

  it("tells a large frame in parts, which count once it is whole", () => {
    overNativeHost(events);
    for (const id of ["msg-1", "msg-2"]) {
      const text = `{"type":"cancel","id":"${id}"}`;
      port.say({ type: "native_chunk", text: text.slice(0, 9), last: false });
      port.say({ type: "native_chunk", text: text.slice(9, 20), last: false });
      expect(frames.at(-1)).not.toEqual({ kind: "cancel", id });
      port.say({ type: "native_chunk", text: text.slice(20), last: true });
      expect(frames.at(-1)).toEqual({ kind: "cancel", id });
    }
    expect(frames).toHaveLength(2);
  });

  it("is given up when a frame has no end", () => {
    overNativeHost(events);
    const text = "x".repeat(MAX_FRAME_BYTES / 4);
    for (let part = 0; part < 4; part += 1) port.say({ type: "native_chunk", text, last: false });
    expect(events.closed).not.toHaveBeenCalled();
    port.say({ type: "native_chunk", text: "x", last: true });
    expect(events.closed).toHaveBeenCalledExactlyOnceWith(GIVEN_UP, expect.any(String));
    expect(port.disconnect).toHaveBeenCalled();
    port.say({ type: "native_chunk", text: "x", last: true });
    port.say({ type: "pong" });
    expect(frames).toEqual([]);
  });

  it("says why it is over", () => {
    overNativeHost(events);
    port.say({ type: "native_closed", code: 4005, reason: "Revoked" });
    expect(events.closed).toHaveBeenCalledWith(4005, "Revoked");
  });

  it("that is not there is told from one that was lost, and Chrome complains of neither", () => {
    overNativeHost(events);
    port.end();
    expect(events.closed).toHaveBeenLastCalledWith(NO_HOST, "");
    overNativeHost(events);
    port.say({ type: "pong" });
    port.end();
    expect(events.closed).toHaveBeenLastCalledWith(NO_WORD, "");
    expect(looked).toHaveBeenCalledTimes(2);
  });
});
