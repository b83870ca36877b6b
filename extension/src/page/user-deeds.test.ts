import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import type { UserDeed } from "../protocol/generated";
import { show } from "./page.fixture";
import { type DeedMessage, userDeeds } from "./user-deeds";

describe("what the user writes in an editor", () => {
  let told: UserDeed[] = [];

  beforeEach(() => {
    told = [];
    const sendMessage = async ({ userDeed }: DeedMessage) => told.push(userDeed) > 0;
    vi.stubGlobal("chrome", { runtime: { sendMessage } });
    userDeeds({ ends: false });
  });

  afterEach(() => {
    userDeeds({ ends: true });
    vi.unstubAllGlobals();
  });

  const written = () => [...told, ...userDeeds({ ends: true })];

  it("is told when it is finished", async () => {
    show("<div contenteditable aria-label=Note></div>");
    await userEvent.type(theEditor(), "green tea");
    expect(written()).toMatchObject([{ filled: { value: "green tea" } }]);
  });

  it("is not told where it is a card number, also once Enter has sent it", async () => {
    show(`<div contenteditable aria-label=Chat
      onkeydown="if (event.key === 'Enter') { event.preventDefault(); this.textContent = '' }"></div>`);
    await userEvent.type(theEditor(), "4111 1111 1111 1111{Enter}");
    await vi.waitFor(() => expect(told).toHaveLength(2));
    expect(JSON.stringify(written())).not.toContain("4111");
  });

  it("is told of each of two that are sent one right after the other", async () => {
    show(`<div contenteditable aria-label=Chat
      onkeydown="if (event.key === 'Enter') { event.preventDefault(); this.textContent = '' }"></div>`);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      await userEvent.type(theEditor(), "one{Enter}two{Enter}");
    } finally {
      vi.useRealTimers();
    }
    const values = written().flatMap((deed) => ("filled" in deed ? [deed.filled.value] : []));
    expect(values).toEqual(["one", "two"]);
  });

  it("is not told where a part of it is a secret", async () => {
    show(`<div contenteditable aria-label=Note>For Ada
      <span contenteditable aria-label=Password>hunter2</span></div>`);
    await userEvent.type(theEditor(), "x");
    const all = written();
    expect(all).toMatchObject([{ filled: { on: { known: { name: "Note" } } } }]);
    expect(JSON.stringify(all)).not.toContain("hunter2");
  });
});

function theEditor(): Element {
  const editor = document.querySelector("[contenteditable]");
  if (!editor) throw new Error("There is no editor.");
  return editor;
}
