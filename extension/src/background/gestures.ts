// The user's last gesture towards Outrigger: a press in one of its own pages, its
// toolbar button or a shortcut. What takes one is refused some time after it, so that
// nothing looks at the user's screen while the user does something else.
import { Refused } from "../protocol/refused";
import type { Capability } from "./capabilities/capability";

const GESTURE_MS = 30_000;

/** Outlives the worker. */
export function noteGesture(): void {
  void chrome.storage.session.set({ lastGesture: Date.now() });
}

/** The same capability; one that takes a gesture is refused without. */
export function afterGesture(capability: Capability): Capability {
  if (!capability.requiresGesture) return capability;
  return {
    ...capability,
    async run(payload, context) {
      if (!isSpared(payload)) await refuseWithoutGesture();
      return capability.run(payload, context);
    },
  };
}

/** The hub knows whose tab it is, and whether there is anything to protect. */
function isSpared(payload: unknown): boolean {
  return (payload as { gestureSpared?: unknown } | null)?.gestureSpared === true;
}

async function refuseWithoutGesture(): Promise<void> {
  const { lastGesture } = await chrome.storage.session.get({ lastGesture: 0 });
  const ago = Date.now() - Number(lastGesture);
  // One is good for one look.
  await chrome.storage.session.remove("lastGesture");
  if (ago >= 0 && ago <= GESTURE_MS) return;
  throw new Refused(
    "gesture_required",
    "The user's own tab is seen only while the user is at it. Ask the user to click Outrigger's button in the toolbar, and call again within 30 seconds.",
  );
}
