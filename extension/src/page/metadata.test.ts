import { afterEach, describe, expect, it } from "vitest";
import { metadata } from "./metadata";
import { show } from "./page.fixture";

const added: Element[] = [];

function head(markup: string): void {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  added.push(...holder.content.children);
  document.head.append(...holder.content.children);
}

afterEach(() => {
  for (const element of added.splice(0)) element.remove();
});

describe("what a document says of itself", () => {
  it("is its title, address and kind", () => {
    document.documentElement.lang = "en-GB";
    document.title = "Tea";
    show("");
    expect(metadata()).toMatchObject({
      title: "Tea",
      url: location.href,
      language: "en-GB",
      charset: "UTF-8",
      contentType: "text/html",
    });
    expect(metadata().lastModified).toBeUndefined();
  });

  it("is what its head links to, as far as it is worth knowing", () => {
    head(`<link rel=canonical href=/tea><link rel="shortcut icon" href="data:image/png;base64,AAAA">
      <link rel=preload href=/x.js as=script><link rel="alternate stylesheet" href=/dark.css>
      <link rel=alternate hreflang=de href="https://example.com/tee">`);
    expect(metadata().links.slice(-3)).toEqual([
      ["canonical", new URL("/tea", location.href).href],
      ["icon", "data:image/png;base64,…"],
      ["alternate", "https://example.com/tee"],
    ]);
  });

  it("is its meta elements, cut, and without tokens", () => {
    head(`<meta name=description content="All about  tea"><meta property=og:title content=Tea>
      <meta name=csrf-token content=hunter2><meta content=nameless><meta name=long content=${"x".repeat(900)}>`);
    const told = metadata().meta.slice(-4);
    expect(told.slice(0, 3)).toEqual([
      ["description", "All about tea"],
      ["og:title", "Tea"],
      ["csrf-token", "[secret]"],
    ]);
    expect(told[3]?.[1]).toHaveLength(500);
  });

  it("is the types of its structured data, where that can be read", () => {
    const ld = (text: string) => `<script type="application/ld+json">${text}</script>`;
    head(
      ld('{"@type":["Recipe","Thing"],"author":{"@type":"Person"}}') +
        ld('{"@graph":[{"@type":"WebPage"},{"@type":"Recipe"}]}') +
        ld("{broken"),
    );
    expect(metadata().structured).toEqual(["Recipe", "Thing", "WebPage"]);
  });

  it("is how much of what it has, in shadow roots too", () => {
    show("<h1>a</h1><a href=/>b</a><a>c</a><form></form><img src='data:,'><div id=host></div>");
    const root = document.querySelector("#host")?.attachShadow({ mode: "open" });
    if (root) root.innerHTML = "<a href=/>d</a>";
    expect(metadata().counts).toEqual({ links: 2, images: 1, forms: 1, headings: 1, frames: 0 });
  });

  it("can be read where names in the page hide the document's own", () => {
    show("<img name=title><img name=querySelectorAll><form name=lastModified></form>");
    expect(metadata().counts.images).toBe(2);
    show("");
  });
});
