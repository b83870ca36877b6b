// `userDeeds`: what the user does in this frame, for a recording that the user asked
// for. It listens until it is told to end, or nobody follows it any more, and tells
// each thing to the worker at once: the page may be left by it. What is typed into a
// secret field is never told.
import type { UserDeed } from "../protocol/generated";
import { closest, isClobbered, selectIn } from "./clobbered";
import { isEditingHost } from "./controls";
import { isInSecret, isSecret } from "./secrets";
import { toldRole } from "./selectors";
import { described } from "./selectors-known";
import { finished } from "./sliced";

type Filled = Extract<UserDeed, { filled: unknown }>["filled"];
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What the worker is told by. */
export const DEED_MESSAGE = "userDeed";
export type DeedMessage = { [DEED_MESSAGE]: UserDeed };

/** What Enter sends a form by is pressed within this. */
const BY_ENTER_MS = 1_000;

const BUTTONS = new Set(["button", "submit", "reset", "image"]);
/** Ticked or not, and nothing else. */
const SWITCHES = new Set(["checkbox", "radio"]);

const EDITORS = "[contenteditable]";

let listening: Listening | undefined;

/** The last ones, when it ends. */
export function userDeeds({ ends }: { ends: boolean }): UserDeed[] {
  if (ends) return listening?.end() ?? [];
  listening ??= new Listening();
  return [];
}

class Listening {
  #enteredAt = Number.NEGATIVE_INFINITY;
  /** What fields and editors held when that was last told. */
  readonly #told = new WeakMap<Element, string>();
  /** The editor that the user writes in, until that is told. */
  #written: HTMLElement | undefined;
  /** Tells that Enter sent what was in an editor, once that is empty; whether it is. */
  #sent: (() => boolean) | undefined;
  readonly #ended = new AbortController();
  /** What is told when it ends is its answer. */
  #last: UserDeed[] | undefined;

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
      if (event.key !== "Enter" || event.isComposing) return;
      const editor = editorAround(element);
      if (editor) this.#enteredIn(editor);
      else this.#entered(element);
    });
    // The last moment at which an editor is empty that was sent.
    on("beforeinput", () => this.#settle());
    on("input", (_event, element) => {
      this.#written = editorAround(element) ?? this.#written;
    });
    on("focusout", () => this.#finishWriting());
  }

  end(): UserDeed[] {
    this.#last = [];
    // A field that the user is still in has not changed yet, for the page.
    const { activeElement } = document;
    const isWritten =
      activeElement && isField(activeElement) && firstHeldBy(activeElement) !== undefined;
    if (isWritten) this.#changed(activeElement);
    this.#finishWriting();
    this.#sent = undefined;
    this.#stop();
    return this.#last;
  }

  #stop(): void {
    this.#ended.abort();
    if (listening === this) listening = undefined;
  }

  #tell(deed: UserDeed): void {
    if (this.#last) {
      this.#last.push(deed);
      return;
    }
    const message: DeedMessage = { [DEED_MESSAGE]: deed };
    chrome.runtime.sendMessage(message).then(
      (isFollowed) => isFollowed || this.#stop(),
      () => this.#stop(),
    );
  }

  #clicked(event: MouseEvent, element: Element): void {
    const pressed = usedBy(element);
    if (editorAround(element) !== this.#written) this.#finishWriting();
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
    if (isInSecret(element)) this.#tell({ filled: { on } });
    else if (isMultiple(element)) this.#tell({ filled: { on, chosen: chosenIn(element) } });
    else this.#tell({ filled: { on, value } });
  }

  /** An editor has no value, and says of no change that it is the last. */
  #finishWriting(): void {
    this.#settle();
    const editor = this.#written;
    this.#written = undefined;
    if (editor?.isConnected) this.#wrote(editor, textOf(editor), filledIn(editor));
  }

  #wrote(editor: HTMLElement, text: string, filled: Filled): void {
    if (this.#told.get(editor) === text) return;
    this.#told.set(editor, text);
    this.#tell({ filled });
  }

  /** Enter is a new line to most editors; one that is empty then has sent what was in it. */
  #enteredIn(editor: HTMLElement): void {
    const text = textOf(editor);
    if (text === "") return;
    // Once it is empty, nobody can tell that it held a secret.
    const filled = filledIn(editor);
    const sent = () => {
      if (textOf(editor) !== "") return false;
      this.#written = undefined;
      this.#wrote(editor, text, filled);
      this.#told.set(editor, "");
      this.#tell({ entered: { on: filled.on } });
      return true;
    };
    this.#sent = sent;
    setTimeout(() => {
      if (this.#sent !== sent) return;
      this.#settle();
      this.#sent = undefined;
    });
  }

  /** Whoever writes on, leaves the editor or ends the recording may be quicker than the timer of a page out of sight. */
  #settle(): void {
    if (this.#sent?.()) this.#sent = undefined;
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

function isMultiple(field: Field): field is HTMLSelectElement {
  return field instanceof HTMLSelectElement && field.multiple;
}

function chosenIn(list: HTMLSelectElement): string[] {
  return [...list.selectedOptions].map(({ label }) => label);
}

/** The outermost part that can be written in. */
function editorAround(element: Element): HTMLElement | undefined {
  let found: HTMLElement | undefined;
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (one instanceof HTMLElement && !isClobbered(one) && isEditingHost(one)) found = one;
  }
  return found;
}

function textOf(editor: HTMLElement): string {
  // biome-ignore lint/performance/useDomNodeTextContent: what is on lines of its own stays so.
  return editor.innerText.replace(/\n+$/, "");
}

/** Without what is written where any of that is a secret. */
function filledIn(editor: HTMLElement): Filled {
  const on = finished(described(editor));
  const isOpen = !on.isSecret && ![...selectIn(editor, EDITORS)].some(isSecret);
  return isOpen ? { on, value: textOf(editor) } : { on };
}

function heldBy(field: Field): string {
  if (field instanceof HTMLInputElement && SWITCHES.has(field.type)) return String(field.checked);
  if (field instanceof HTMLSelectElement) return chosenIn(field).join("\n");
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
