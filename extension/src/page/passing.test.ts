import { afterEach, expect, it } from "vitest";
import { numberOfControl, show } from "./page.fixture";
import { prepare } from "./prepare";

const COVER = "position:fixed;inset:0;background:grey";

/** What becomes of a button that lies under a cover like this. */
async function pressUnder(cover: string, goAway: (cover: HTMLElement) => void): Promise<unknown> {
  const node = await numberOfControl(`<button>Go</button><div id=cover ${cover}></div>`);
  goAway(document.querySelector("#cover") as HTMLElement);
  return prepare({ node, origin: location.origin, clear: false });
}

/** The way that scripts fade things: a little at a time. */
function fadeByScript(cover: HTMLElement): void {
  let opacity = 1;
  const timer = setInterval(() => {
    opacity -= 0.1;
    cover.style.opacity = String(opacity);
    if (opacity > 0) return;
    clearInterval(timer);
    cover.remove();
  }, 20);
}

afterEach(() => show(""));

it("waits for a cover that a script fades out", async () => {
  await expect(pressUnder(`style="${COVER}"`, fadeByScript)).resolves.toBeTruthy();
});

it("waits for a cover that a style sheet moves away", async () => {
  const slide = (cover: HTMLElement) => {
    cover.getBoundingClientRect();
    cover.style.transform = "translateY(100%)";
  };
  const style = `style="${COVER};transition:transform 300ms"`;
  await expect(pressUnder(style, slide)).resolves.toBeTruthy();
});

it("refuses without delay what lies under something that stays", async () => {
  const begun = Date.now();
  const pressed = pressUnder(`style="${COVER};opacity:0.5"`, () => {});
  await expect(pressed).rejects.toMatchObject({ code: "covered" });
  expect(Date.now() - begun).toBeLessThan(700);
});

it("doesn't wait for ever for something that goes on moving", async () => {
  const turn = (cover: HTMLElement) => {
    cover.animate([{ opacity: 0.5 }, { opacity: 1 }], { duration: 200, iterations: Infinity });
  };
  await expect(pressUnder(`style="${COVER}"`, turn)).rejects.toMatchObject({ code: "covered" });
});
