// `launch.json`: what the hub puts beside the manifest of a browser that it
// launches itself. It wins over what is stored; its token stands in for the
// pairing token and proves the launch.

export interface Launch {
  hub: string;
  launchToken: string;
}

let reading: Promise<Launch | undefined> | undefined;

/** Read once a worker; the folder does not change under a running browser. */
export function readLaunch(): Promise<Launch | undefined> {
  reading ??= fetchLaunch();
  return reading;
}

async function fetchLaunch(): Promise<Launch | undefined> {
  try {
    const response = await fetch(chrome.runtime.getURL("launch.json"));
    const { hub, launchToken } = (await response.json()) as Partial<Launch>;
    return typeof hub === "string" && typeof launchToken === "string"
      ? { hub, launchToken }
      : undefined;
  } catch {
    return undefined;
  }
}
