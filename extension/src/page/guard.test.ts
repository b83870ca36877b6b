import { expect, it, vi } from "vitest";
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

/** A button in a card; what happens to it is up to the press. */
function card(onPress: (button: HTMLElement) => void) {
  document.body.innerHTML = "<div style='padding:20px'><button>Buy</button></div>";
  const around = document.body.firstElementChild as HTMLElement;
  const button = around.firstElementChild as HTMLElement;
  const { left, top, width, height } = button.getBoundingClientRect();
  const clicked = vi.fn();
  around.addEventListener("click", clicked);
  button.addEventListener("mousedown", () => onPress(button));
  guardPress(button, left + width / 2, top + height / 2);
  return { button, clicked };
}

it("leaves the click of a button that is gone to nothing else", async () => {
  const { button, clicked } = card((pressed) => {
    pressed.style.display = "none";
  });
  await userEvent.click(button, { force: true });
  expect(pressSoFar()).toBe("begun");
  expect(clicked).not.toHaveBeenCalled();
});

it("leaves the clicks of keys alone, though the press had none", async () => {
  const { button, clicked } = card((pressed) => {
    pressed.style.display = "none";
  });
  const next = document.createElement("button");
  button.after(next);
  await userEvent.click(button, { force: true });
  next.focus();
  await userEvent.keyboard("{Enter}");
  expect(clicked).toHaveBeenCalledOnce();
});
