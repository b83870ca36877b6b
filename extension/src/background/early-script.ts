// Has the browser run the script that remembers password fields in every
// document, from its beginning: by the time of the first call a page may have
// shown a password already.

const ID = "secrets-early";

/** Chrome keeps the registration over restarts, and drops it with an update. */
export async function registerEarlyScript(): Promise<void> {
  const known = await chrome.scripting.getRegisteredContentScripts({ ids: [ID] });
  if (known.length > 0) return;
  await chrome.scripting.registerContentScripts([
    {
      id: ID,
      js: ["secrets-early.js"],
      matches: ["<all_urls>"],
      matchOriginAsFallback: true,
      allFrames: true,
      runAt: "document_start",
      world: "ISOLATED",
    },
  ]);
}
