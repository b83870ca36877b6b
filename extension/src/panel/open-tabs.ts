// What the panel knows of this browser's tabs, which Chrome tells it directly.

export interface OpenTab {
  id: number;
  /** Title, or address, or number: whatever there is. */
  name: string;
  /** An ordinary page, which could be shared. */
  isPage: boolean;
}

export class OpenTabs {
  #names = new Map<number, OpenTab>();
  #current: OpenTab | undefined;

  /** In front in the panel's own window. */
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
    void look();
  }

  async #look(): Promise<void> {
    const [all, [front]] = await Promise.all([
      chrome.tabs.query({}),
      chrome.tabs.query({ active: true, currentWindow: true }),
    ]);
    this.#names = new Map(all.map((tab) => [tab.id ?? -1, openTab(tab)]));
    this.#current = front && openTab(front);
  }
}

function openTab({ id, title, url, pendingUrl }: chrome.tabs.Tab): OpenTab {
  const address = url || pendingUrl || "";
  const isPage = /^(https?:|about:blank$)/.test(address);
  return { id: id ?? -1, name: title || address || `Tab ${id}`, isPage };
}
