// A list whose items stay the same elements while what they show changes: an
// item that was replaced between press and release would swallow the click.
import { whenPressed } from "../pressed";

export interface Card<Item> {
  element: HTMLElement;
  show(item: Item): void;
  /** It was taken off the list. */
  gone?(): void;
}

export class KeyedList<Item> {
  readonly #list: HTMLElement;
  readonly #make: (item: Item) => Card<Item>;
  readonly #cards = new Map<string, Card<Item>>();

  constructor(list: HTMLElement, make: (item: Item) => Card<Item>) {
    this.#list = list;
    this.#make = make;
  }

  show(items: ReadonlyMap<string, Item>): void {
    for (const [key, card] of this.#cards) {
      if (items.has(key)) continue;
      card.element.remove();
      card.gone?.();
      this.#cards.delete(key);
    }
    let before: Element | null = this.#list.firstElementChild;
    for (const [key, item] of items) {
      let card = this.#cards.get(key);
      if (!card) {
        card = this.#make(item);
        this.#cards.set(key, card);
      }
      if (card.element === before) before = before.nextElementSibling;
      else this.#list.insertBefore(card.element, before);
      card.show(item);
    }
  }
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

export function button(words: string, press: () => void, className = ""): HTMLButtonElement {
  const element = make("button", className, words);
  element.type = "button";
  whenPressed(element, press);
  return element;
}

/** Writes only what is new, so that a screen reader doesn't repeat itself. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
