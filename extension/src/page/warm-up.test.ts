import { afterEach, expect, it } from "vitest";
import { readFacts, show } from "./page.fixture";
import { noteCall, warmUp } from "./warm-up";

afterEach(() => show(""));

it("comes to its end and leaves nothing behind", async () => {
  show("<button>Save</button><p>Done</p>");
  const before = document.documentElement.outerHTML;
  expect(await warmUp()).toBe(true);
  expect(document.documentElement.outerHTML).toBe(before);
  expect(JSON.stringify(await readFacts())).toContain("Save");
});

it("gives way as soon as something real is asked for", async () => {
  show("<p>One <b>two</b> three</p>".repeat(20_000));
  const warming = warmUp();
  noteCall();
  expect(await warming).toBe(false);
});
