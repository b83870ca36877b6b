import { expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { guardPress, pressSoFar } from "./guard";

it("sees the click of a press whose second half comes late", async () => {
  document.body.innerHTML = "<button>Heavy</button>";
  const button = document.body.firstElementChild as Element;
  const { left, top, width, height } = button.getBoundingClientRect();
  guardPress(button, left + width / 2, top + height / 2);
  await userEvent.click(button, { delay: 1_200 });
  expect(pressSoFar()).toBe("clicked");
});
