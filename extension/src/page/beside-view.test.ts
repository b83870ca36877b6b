import { afterEach, expect, it } from "vitest";
import { readFacts, show } from "./page.fixture";

afterEach(() => scrollTo(0, 0));

it("a header that slid out of view is not told, however far the page is scrolled", async () => {
  const header = "<header style='position:fixed;top:0;transform:translateY(-100%)'>Gone</header>";
  show(`${header}<p>First</p><p style='margin-top:5000px'>Last</p>`);
  scrollTo(0, 2000);
  const words = (await readFacts()).nodes.filter((node) => node.length === 2);
  expect(words.map(([, text]) => text)).toEqual(["First", "Last"]);
});
