// The hub's address as a person types it, and the WebSocket address made of it.

export const DEFAULT_HUB = "127.0.0.1:9009";

const DEFAULT_PORT = "9009";

/** `host:port`, or undefined for what is no address. Takes a pasted URL too. */
export function parseHubAddress(text: string): string | undefined {
  const bare = text.trim().replace(/^(wss?|https?):\/\//i, "");
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d+)?(\/.*)?$/i.test(bare)) return undefined;
  try {
    // `ws:` would swallow its default port 80.
    const url = new URL(`outrigger://${bare}`);
    if (url.hostname === "") return undefined;
    return `${url.hostname.toLowerCase()}:${url.port || DEFAULT_PORT}`;
  } catch {
    return undefined;
  }
}

/** The link's address. The pairing token leaves the machine over TLS only. */
export function linkUrl(address: string): string {
  const scheme = isOnThisMachine(address) ? "ws" : "wss";
  return `${scheme}://${address}/extension`;
}

/** What is asked of the same hub by HTTP; its tokens, too, leave the machine over TLS only. */
export function httpUrl(address: string, path: string): string {
  const scheme = isOnThisMachine(address) ? "http" : "https";
  return `${scheme}://${address}${path}`;
}

/** Whether the hub is on this machine, where the browser can start a host for it. */
export function isOnThisMachine(address: string): boolean {
  return isLoopback(new URL(`outrigger://${address}`).hostname);
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
