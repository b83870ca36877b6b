// For the test of agreement: Chromium's own accessibility tree, as far as it has
// to do with controls, with the marks that the page's script left on elements.
import type { CDPSession } from "playwright-core";
import { MARK } from "./tagged-controls";

export interface Spoken {
  /** Chromium's number of the element. */
  element: number;
  role: string;
  name: string;
  isIgnored: boolean;
  isFocusable: boolean;
  tag: string;
  tabindex: number | undefined;
  /** Number of the told control that the element is. */
  told: number | undefined;
  /** The nearest element around that has a mark, itself left out. */
  toldAround: number | undefined;
  /** Element that it is a part of: the browser's own, out of which it made a control. */
  host: number | undefined;
}

type AXNode = Awaited<ReturnType<typeof fullTree>>[number];
type DOMNode = Awaited<ReturnType<typeof fullDocument>>;

export async function spokenTree(session: CDPSession): Promise<Spoken[]> {
  const byElement = new Map((await fullTree(session)).map((node) => [node.backendDOMNodeId, node]));
  const spoken: Spoken[] = [];
  const waiting: Place[] = [
    { node: await fullDocument(session), host: undefined, around: undefined },
  ];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { node } = place;
    const attributes = attributesOf(node);
    const mark = attributes.get(MARK);
    const told = mark === undefined ? undefined : Number(mark);
    const accessible = byElement.get(node.backendNodeId);
    if (accessible) {
      spoken.push({
        ...described(accessible),
        element: node.backendNodeId,
        tag: node.localName,
        tabindex: attributes.has("tabindex") ? Number(attributes.get("tabindex")) : undefined,
        told,
        toldAround: place.around,
        host: place.host,
      });
    }
    const around = told ?? place.around;
    for (const child of node.children ?? [])
      waiting.push({ node: child, host: place.host, around });
    for (const root of node.shadowRoots ?? []) {
      const isOwn = root.shadowRootType === "user-agent";
      const host = place.host ?? (isOwn ? node.backendNodeId : undefined);
      for (const child of root.children ?? []) waiting.push({ node: child, host, around });
    }
  }
  return spoken;
}

interface Place {
  node: DOMNode;
  host: number | undefined;
  around: number | undefined;
}

async function fullTree(session: CDPSession) {
  return (await session.send("Accessibility.getFullAXTree")).nodes;
}

/** Frames are documents of their own, with trees of their own. */
async function fullDocument(session: CDPSession) {
  return (await session.send("DOM.getDocument", { depth: -1, pierce: true })).root;
}

function described({ role, name, ignored, properties }: AXNode) {
  const isFocusable = properties?.some(({ name, value }) => name === "focusable" && value.value);
  return {
    role: ignored ? "" : String(role?.value ?? ""),
    name: ignored ? "" : String(name?.value ?? ""),
    isIgnored: ignored,
    isFocusable: isFocusable === true,
  };
}

function attributesOf({ attributes = [] }: DOMNode): Map<string, string> {
  const pairs = new Map<string, string>();
  for (let at = 0; at < attributes.length; at += 2) {
    pairs.set(attributes[at] ?? "", attributes[at + 1] ?? "");
  }
  return pairs;
}
