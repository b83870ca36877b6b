// `nextChange`: answers as soon as something changes in the frame that could be
// waited for, or after a while. What no event tells of (a style that a rule
// brings, a box that a script ticks) is found by whoever asks again.
import type { NextChangeArgs } from "../protocol/generated";
import { listen } from "./clobbered";
import { rootsIn } from "./selectors";

const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };
const EVENTS = ["input", "change", "toggle", "transitionend", "animationend", "load"];

export function nextChange({ limitMs }: NextChangeArgs): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(done);
    const deaf = EVENTS.map((type) => listen(document, type, done, { capture: true }));
    for (const root of rootsIn(document)) observer.observe(root, WATCHED);
    const timer = setTimeout(done, limitMs);
    function done() {
      clearTimeout(timer);
      observer.disconnect();
      for (const stop of deaf) stop();
      resolve();
    }
  });
}
