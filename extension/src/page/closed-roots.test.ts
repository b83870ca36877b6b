import { afterEach, describe, expect, it, vi } from "vitest";
import { elementAt } from "./hit";
import { controlNumbers, readFacts, show } from "./page.fixture";
import { prepare } from "./prepare";
import { focusedElement } from "./visibility";

const { origin } = location;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** As the browser does it for extensions, for the hosts that it is told of. */
function closedRoot(host: HTMLElement, markup: string): ShadowRoot {
  const root = host.attachShadow({ mode: "closed" });
  root.innerHTML = markup;
  const openOrClosedShadowRoot = (element: HTMLElement) => (element === host ? root : null);
  vi.stubGlobal("chrome", { dom: { openOrClosedShadowRoot } });
  return root;
}

/** The tags that the browser is asked about, none of which has a root. */
function noteAsked(): string[] {
  const asked: string[] = [];
  const openOrClosedShadowRoot = ({ localName }: Element) => {
    asked.push(localName);
    return null;
  };
  vi.stubGlobal("chrome", { dom: { openOrClosedShadowRoot } });
  return asked;
}

function shownHost(): HTMLElement {
  show("<div>light</div>");
  return document.querySelector("div") as HTMLElement;
}

describe("a closed shadow root", () => {
  it("is walked where the browser shows it", async () => {
    closedRoot(shownHost(), "<p>inside</p><button>Go</button>");
    const words = (await readFacts()).nodes.map((node) => (node.length === 2 ? node[1] : node[3]));
    expect(words.filter(Boolean)).toEqual(["inside", "Go"]);
  });

  it("can be pressed into", async () => {
    const root = closedRoot(shownHost(), "<button>Go</button>");
    const button = root.querySelector("button");
    const { left, top } = button?.getBoundingClientRect() ?? { left: 0, top: 0 };
    expect(elementAt(left + 3, top + 3)).toBe(button);
    const [node = 0] = await controlNumbers();
    await expect(prepare({ node, origin, clear: false })).resolves.toBeTruthy();
  });

  it("may hold what has the focus", () => {
    const root = closedRoot(shownHost(), "<input>");
    const input = root.querySelector("input");
    input?.focus();
    expect(focusedElement()).toBe(input);
  });

  it("is not asked for where there can be none", async () => {
    show("<table><tr><td>x</table><b>y</b><div>w</div><my-part>z</my-part>");
    const asked = noteAsked();
    await readFacts();
    expect(asked.filter((tag) => tag !== "body")).toEqual(["div", "my-part"]);
  });

  it("is found where there was none some time ago", async () => {
    const host = shownHost();
    noteAsked();
    await readFacts();
    closedRoot(host, "<p>inside</p>");
    const later = performance.now() + 10_000;
    vi.spyOn(performance, "now").mockReturnValue(later);
    expect((await readFacts()).nodes.map((node) => node[1])).toContain("inside");
  });

  it("is found at once where something was pressed", async () => {
    show("<div>light</div><button>Open</button>");
    const host = document.querySelector("div") as HTMLElement;
    noteAsked();
    const [node = 0] = await controlNumbers();
    await prepare({ node, origin, clear: false });
    closedRoot(host, "<p>inside</p>");
    expect((await readFacts()).nodes.map((node) => node[1])).toContain("inside");
  });

  it("is asked for once where there is content, and each time where there is none", async () => {
    show("<div>w</div><section></section><my-part>z</my-part>");
    const asked = noteAsked();
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    await readFacts();
    await readFacts();
    expect(asked.filter((tag) => tag === "div")).toHaveLength(1);
    expect(asked.filter((tag) => tag === "section")).toHaveLength(2);
    expect(asked.filter((tag) => tag === "my-part")).toHaveLength(2);
  });
});
