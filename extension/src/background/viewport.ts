// Gives a tab's viewport back to its window. A tab that isn't in front is not
// laid out anew when an override ends: it keeps one, of the window's own size.
import { keepSwitchedOn } from "./debugger";

/** Whether that is all there is to do. */
export async function fitsToWindow(tabId: number): Promise<boolean> {
  const { windowId, active } = await chrome.tabs.get(tabId);
  const [front] = await chrome.tabs.query({ active: true, windowId });
  if (active || !front?.width || !front.height) return false;
  const { width, height } = front;
  const params = { width, height, deviceScaleFactor: 0, mobile: false };
  await keepSwitchedOn(tabId, [{ method: "Emulation.setDeviceMetricsOverride", params }]);
  return true;
}
