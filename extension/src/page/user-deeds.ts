// `userDeeds`: what the user does in this frame, for a recording that the user asked
// for. It listens from the first time it is asked until it is told to end, or nobody
// asks any more. What is typed into a secret field is never told.
import type { UserDeed, UserDeedsArgs } from "../protocol/generated";
import { closest, isClobbered } from "./clobbered";
import { isEditingHost } from "./controls";
import { isInSecret } from "./secrets";
import { toldRole } from "./selectors";
import { described } from "./selectors-known";
import { finished } from "./sliced";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Nobody asks any more after so long. */
const ABANDONED_MS = 60_000;
/** What Enter sends a form by is pressed within this. */
const BY_ENTER_MS = 1_000;

const BUTTONS = new Set(["button", "submit", "reset", "image"]);
/** Ticked or not, and nothing else. */
const SWITCHES = new Set(["checkbox", "radio"]);

let listening: Listening | undefined;

export async function userDeeds({ limitMs, ends }: UserDeedsArgs): Promise<UserDeed[]> {
  listening ??= new Listening();
  if (!ends) return listening.next(limitMs);
  const last = listening.end();
  listening = undefined;
  return last;
}

class Listening {
  #deeds: UserDeed[] = [];
  #wake: (() => void) | undefined;
  #enteredAt = Number.NEGATIVE_INFINITY;
  /** What fields held when that was last told. */
  readonly #told = new WeakMap<Field, string>();
  readonly #ended = new AbortController();
  #abandoned: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    const options = { capture: true, passive: true, signal: this.#ended.signal };
    const on = <T extends Event>(type: string, heard: (event: T, element: Element) => void) => {
      const listener = (event: Event) => {
        const [element] = event.composedPath();
        if (event.isTrusted && element instanceof Element) heard(event as T, element);
      };
      addEventListener(type, listener, options);
    };
    on<MouseEvent>("click", (event, element) => this.#clicked(event, element));
    on("change", (_event, element) => this.#changed(element));
    on<KeyboardEvent>("keydown", (event, element) => {
      if (event.key === "Enter" && !event.isComposing) this.#entered(element);
    });
  }

  async next(limitMs: number): Promise<UserDeed[]> {
    clearTimeout(this.#abandoned);
    if (this.#deeds.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, limitMs);
      });
    }
    this.#abandoned = setTimeout(() => {
      this.end();
      listening = undefined;
    }, ABANDONED_MS);
    return this.#taken();
  }

  end(): UserDeed[] {
    // A field that the user is still in has not changed yet, for the page.
    const { activeElement } = document;
    const isWritten =
      activeElement && isField(activeElement) && firstHeldBy(activeElement) !== undefined;
    if (isWritten) this.#changed(activeElement);
    clearTimeout(this.#abandoned);
    this.#ended.abort();
    return this.#taken();
  }

  #taken(): UserDeed[] {
    const deeds = this.#deeds;
    this.#deeds = [];
    return deeds;
  }

  #tell(deed: UserDeed): void {
    this.#deeds.push(deed);
    this.#wake?.();
  }

  #clicked(event: MouseEvent, element: Element): void {
    const pressed = usedBy(element);
    // The field itself tells what came of it, and Enter was told already.
    if (isFilled(pressed) || closest(pressed, "label")) return;
    const isByEnter = event.detail === 0 && event.timeStamp - this.#enteredAt < BY_ENTER_MS;
    if (!isByEnter) this.#tell({ clicked: { on: finished(described(pressed)) } });
  }

  #changed(element: Element): void {
    if (!isField(element) || !isFilled(element)) return;
    const value = heldBy(element);
    if ((this.#told.get(element) ?? firstHeldBy(element)) === value) return;
    this.#told.set(element, value);
    const on = finished(described(element));
    this.#tell({ filled: isInSecret(element) ? { on } : { on, value } });
  }

  #entered(element: Element): void {
    if (!(element instanceof HTMLInputElement) || !isFilled(element)) return;
    if (SWITCHES.has(element.type)) return;
    this.#changed(element);
    this.#enteredAt = performance.now();
    this.#tell({ entered: { on: finished(described(element)) } });
  }
}

function isField(element: Element): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

/** Whether it is something to fill in, and not to press. */
function isFilled(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !BUTTONS.has(element.type);
  if (element instanceof HTMLOptionElement) return true;
  return isField(element) || isEditingHost(element);
}

function heldBy(field: Field): string {
  if (field instanceof HTMLInputElement && SWITCHES.has(field.type)) return String(field.checked);
  if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.label ?? "";
  return field.value;
}

/** As the page came: what was typed before anybody listened counts, too. */
function firstHeldBy(field: Field): string | undefined {
  if (field instanceof HTMLSelectElement) return undefined;
  if (field instanceof HTMLInputElement && SWITCHES.has(field.type)) return undefined;
  return field.defaultValue;
}

/** What a person means who presses there: the nearest thing around it that has a role. */
function usedBy(element: Element): Element {
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (isClobbered(one)) break;
    const role = toldRole(one, one.localName);
    if (USED.has(role) || isFilled(one) || one.localName === "label") return one;
  }
  return element;
}

const USED = new Set(
  "button link menuitem menuitemcheckbox menuitemradio tab option treeitem switch checkbox radio".split(
    " ",
  ),
);
