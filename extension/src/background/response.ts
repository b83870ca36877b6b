// What a tab's document came as: the server's answer and its kind.
export interface Response {
  /** HTTP status, where there was one. */
  status?: number;
  /** The browser's own viewer shows it. */
  isPdf?: boolean;
}

export async function responseOf(tabId: number): Promise<Response> {
  try {
    const [frame] = await chrome.scripting.executeScript({
      target: { tabId },
      injectImmediately: true,
      func: () => {
        const [entry] = performance.getEntriesByType("navigation");
        return [entry?.toJSON().responseStatus, document.contentType] as const;
      },
    });
    const [status, type] = frame?.result ?? [];
    return {
      ...(typeof status === "number" && status > 0 && { status }),
      ...(type === "application/pdf" && { isPdf: true }),
    };
  } catch {
    // A page that can't be read has nothing to tell.
    return {};
  }
}
