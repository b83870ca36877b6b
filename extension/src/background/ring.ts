// The newest so many of something, and how many made room for them.

export class Ring<Item> {
  readonly #items: Item[] = [];
  #dropped = 0;

  constructor(private readonly size: number) {}

  get items(): readonly Item[] {
    return this.#items;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Answers with the item that had to go, if one had to. */
  push(item: Item): Item | undefined {
    this.#items.push(item);
    if (this.#items.length <= this.size) return undefined;
    this.#dropped += 1;
    return this.#items.shift();
  }
}
