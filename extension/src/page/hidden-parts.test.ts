import { describe, expect, it } from "vitest";
import { type ElementNode, Flag, type TextNode } from "../protocol/generated";
import { isText } from "./lines";
import { controlsOf, nodesOf, wordsOf } from "./page.fixture";

const INCLUDED = { includeHidden: true };

function isHidden(nodes: (TextNode | ElementNode)[], index: number): boolean {
  const node = nodes[index];
  if (!node || isText(node)) return false;
  return ((node[4] ?? 0) & Flag.Hidden) !== 0;
}

describe("what a person can't see, when asked for", () => {
  it.each([
    "<div style='display:none'>secret</div>",
    "<span style='display:none'>secret</span>",
    "<p>a <b style='display:none'>secret</b> b</p>",
    "<div style='visibility:hidden'>secret</div>",
    "<div style='opacity:0'>secret</div>",
    "<div style='height:0;overflow:hidden'>secret</div>",
    "<div style='position:absolute;left:-9999px'>secret</div>",
    "<div style='position:absolute;left:-9999px'><span>secret</span></div>",
    "<div style='position:absolute;width:1px;height:1px;overflow:hidden'>secret</div>",
    "<div style='content-visibility:hidden'><p>secret</p></div>",
    "<div style='transform:scale(0)'>secret</div>",
    "<div hidden>secret</div>",
    "<details><summary>More</summary><p>secret</p></details>",
    "<details><summary>More</summary>secret</details>",
    "<div style='content-visibility:hidden'>secret</div>",
    "<div style='clip-path:inset(50%)'>secret</div>",
    "<dialog>secret</dialog>",
  ])("hangs on a node that says so: %s", async (markup) => {
    const nodes = await nodesOf(markup, INCLUDED);
    const text = nodes.find((node) => isText(node) && node[1].includes("secret"));
    expect(text, JSON.stringify(nodes)).toBeDefined();
    expect(isHidden(nodes, text?.[0] ?? -1), JSON.stringify(nodes)).toBe(true);
  });

  it("is flagged on the control itself", async () => {
    const nodes = await nodesOf("<button style='display:none'>Later</button>", INCLUDED);
    const index = nodes.findIndex((node) => node[2] === "button");
    expect(nodes[index]?.[3 as 1]).toBe("Later");
    expect(isHidden(nodes, index)).toBe(true);
  });

  it("does not hide what is seen inside it", async () => {
    const inner = "<b style='visibility:visible'>seen</b>";
    const nodes = await nodesOf(`<div style='visibility:hidden'>unseen${inner}</div>`, INCLUDED);
    const seen = nodes.find((node) => isText(node) && node[1] === "seen");
    expect(seen && isHidden(nodes, seen[0])).toBe(false);
  });

  it("is still no script, style or template", async () => {
    const markup = "<script>'code'</script><style>.code{}</style><template>code</template>";
    expect(await wordsOf(markup, INCLUDED)).toBe("");
  });

  it("is still no secret, and no field that the page alone fills", async () => {
    const markup =
      "<input type=password value=hunter2 style='display:none'><input type=hidden value=hunter2>";
    expect(JSON.stringify(await nodesOf(markup, INCLUDED))).not.toContain("hunter2");
  });

  it("is no part of a name", async () => {
    expect(await controlsOf("<button>Go<i style='display:none'>on</i></button>")).toEqual([
      'button "Go"',
    ]);
    const nodes = await nodesOf("<button>Go<i style='display:none'>on</i></button>", INCLUDED);
    expect(nodes.find((node) => node[2] === "button")?.[3 as 1]).toBe("Go");
  });
});
