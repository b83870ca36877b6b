// What the panel knows of this browser's tabs, which Chrome tells it directly.

export interface OpenTab {
  id: number;
  /** Title, or address, or number: whatever there is. */
  name: string;
  /** An ordinary page, which could be shared. */
  isPage: boolean;
}

export class OpenTabs {
  readonly #isApart: boolean;
  #names = new Map<number, OpenTab>();
  #current: OpenTab | undefined;

  /** A panel that is apart stands in no window with tabs. */
  constructor(isApart: boolean) {
    this.#isApart = isApart;
  }

  /** In front in the panel's own window, or in the one that the user was in last. */
  get current(): OpenTab | undefined {
    return this.#current;
  }

  get(id: number): OpenTab {
    return this.#names.get(id) ?? { id, name: `Tab ${id}`, isPage: false };
  }

  watch(changed: () => void): void {
    let looking = false;
    let again = false;
    const look = async () => {
      again = true;
      if (looking) return;
      looking = true;
      while (again) {
        again = false;
        await this.#look();
      }
      looking = false;
      changed();
    };
    const events = [
      chrome.tabs.onActivated,
      chrome.tabs.onCreated,
      chrome.tabs.onRemoved,
      chrome.tabs.onUpdated,
      chrome.tabs.onReplaced,
    ];
    for (const event of events) event.addListener(() => void look());
    if (this.#isApart) chrome.windows.onFocusChanged.addListener(() => void look());
    void look();
  }

  async #look(): Promise<void> {
    const [all, front] = await Promise.all([
      chrome.tabs.query({}),
      this.#isApart ? frontElsewhere() : frontHere(),
    ]);
    this.#names = new Map(all.map((tab) => [tab.id ?? -1, openTab(tab)]));
    this.#current = front && openTab(front);
  }
}

async function frontHere(): Promise<chrome.tabs.Tab | undefined> {
  const [front] = await chrome.tabs.query({ active: true, currentWindow: true });
  return front;
}

async function frontElsewhere(): Promise<chrome.tabs.Tab | undefined> {
  const filter = { populate: true, windowTypes: ["normal" as const] };
  const last = await chrome.windows.getLastFocused(filter).catch(() => undefined);
  return last?.tabs?.find(({ active }) => active);
}

function openTab({ id, title, url, pendingUrl }: chrome.tabs.Tab): OpenTab {
  const address = url || pendingUrl || "";
  const isPage = /^(https?:|about:blank$)/.test(address);
  return { id: id ?? -1, name: title || address || `Tab ${id}`, isPage };
}
