import { describe, expect, it } from "vitest";
import { type ElementNode, Flag } from "../protocol/generated";
import { isText } from "./lines";
import { readFacts, show, wordsOf } from "./page.fixture";

/** What is flagged as on top, as role and name, and the words in order. */
async function told(): Promise<{ onTop: string[]; words: string }> {
  const { nodes } = await readFacts();
  const elements = nodes.filter((node): node is ElementNode => !isText(node));
  return {
    onTop: elements
      .filter(([, , , , flags = 0]) => flags & Flag.OnTop)
      .map(([, , role, name]) => `${role} "${name}"`),
    words: nodes
      .map((node) => (isText(node) ? node[1] : (node[3] ?? "")))
      .filter(Boolean)
      .join("|"),
  };
}

function opened(markup: string): void {
  show(markup);
  for (const dialog of document.querySelectorAll("dialog")) dialog.showModal();
  for (const popover of document.querySelectorAll<HTMLElement>("[popover]")) popover.showPopover();
}

describe("what lies on top of the page", () => {
  it("is told first, and once: a modal dialog", async () => {
    opened("<p>Page</p><dialog aria-label=Cookies><button>Accept</button> all</dialog>");
    expect(await told()).toEqual({
      onTop: ['dialog "Cookies"'],
      words: "Cookies|Accept| all|Page",
    });
  });

  it("is told first, and once: a popover", async () => {
    opened("<p>Page<span popover=manual>Tip</span></p>");
    expect(await told()).toEqual({ onTop: ['dialog ""'], words: "Tip|Page" });
  });

  it("is told first, and once: a dialog that says it is modal", async () => {
    opened("<p>Page</p><div role=alertdialog aria-modal=true aria-label=Sure><b>Sure?</b></div>");
    expect(await told()).toEqual({ onTop: ['alertdialog "Sure"'], words: "Sure|Sure?|Page" });
  });

  it("keeps its own role", async () => {
    opened("<ul popover=manual role=menu aria-label=Edit><li role=menuitem>Cut</ul>");
    expect((await told()).onTop).toEqual(['menu "Edit"']);
  });

  it("hangs together after it was moved to the front", async () => {
    opened("<ul><li>One</li></ul><dialog><p>Two</p></dialog>");
    const { nodes } = await readFacts();
    for (const [index, [parent]] of nodes.entries()) expect(parent).toBeLessThan(index);
    const item = nodes.findIndex((node) => node[2] === "listitem");
    expect(nodes[item + 1]).toEqual([item, "One"]);
  });

  it("is told from above to below", async () => {
    const place = "style='position:fixed;inset:0;margin:0;width:300px;height:300px'";
    opened(
      `<dialog ${place} aria-label=Below>x</dialog><dialog ${place} aria-label=Above>y</dialog>`,
    );
    expect((await told()).onTop).toEqual(['dialog "Above"', 'dialog "Below"']);
  });

  it.each([
    "<dialog>Closed</dialog>",
    "<div popover>Closed</div>",
    "<div aria-modal=true style='display:none'>Closed</div>",
    "<div aria-modal=true style='opacity:0'>Closed</div>",
  ])("is not what is closed: %s", async (markup) => {
    expect(await wordsOf(markup)).toBe("");
  });

  it("is not a drawer that waits beside what is in view", async () => {
    show("<p>Page</p><div aria-modal=true style='position:fixed;left:100vw;width:99px'>Menu</div>");
    expect((await told()).onTop).toEqual([]);
  });

  it("is not a dialog that is open beside the page", async () => {
    show("<p>Page</p><dialog open>Beside</dialog>");
    expect(await told()).toEqual({ onTop: [], words: "Page|Beside" });
  });
});
