// What synthetic events have in common: how they are sent, and which keys are
// held down meanwhile.

/** Whether the page let it pass. */
export function send(target: EventTarget, event: Event): boolean {
  return EventTarget.prototype.dispatchEvent.call(target, event);
}

/** The debugger's bits. */
export function heldKeys(modifiers = 0): EventModifierInit {
  return {
    altKey: (modifiers & 1) !== 0,
    ctrlKey: (modifiers & 2) !== 0,
    metaKey: (modifiers & 4) !== 0,
    shiftKey: (modifiers & 8) !== 0,
  };
}

export const EVERYWHERE = { bubbles: true, cancelable: true, composed: true } as const;
