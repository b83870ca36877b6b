// A window that opens without taking the focus from whatever the user does.

/** Where the window manager gives it the focus all the same, that is taken back. */
export async function openUnfocused(
  data: chrome.windows.CreateData,
): Promise<chrome.windows.Window | undefined> {
  const before = await chrome.windows.getLastFocused();
  const made = await chrome.windows.create({ ...data, focused: false });
  const after = await chrome.windows.getLastFocused();
  if (before.focused && before.id !== undefined && after.id !== before.id) {
    await chrome.windows.update(before.id, { focused: true });
  }
  return made;
}
