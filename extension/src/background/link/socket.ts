// A WebSocket to the hub.
import { parseFrame } from "./frames";
import type { OpenTransport } from "./transport";

export function overSocket(url: string): OpenTransport {
  return ({ opened, frame, closed }) => {
    const socket = new WebSocket(url);
    socket.onopen = opened;
    socket.onmessage = ({ data }) => frame(parseFrame(String(data)));
    socket.onclose = ({ code, reason }) => closed(code, reason);
    return {
      send(text) {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close() {
        // Closing a socket that never opened reports an error; there is none to see.
        socket.onclose = null;
        socket.close();
      },
    };
  };
}
