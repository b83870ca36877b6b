import { afterEach, describe, expect, it, vi } from "vitest";
import { makeContext } from "./context.fixture";

const context = makeContext();
const payload = { tabId: 7, landscape: true, background: false, scale: 0.5 };

async function printing(sendCommand: (target: object, method: string, params: object) => unknown) {
  vi.resetModules();
  vi.stubGlobal("chrome", {
    storage: { session: { get: async (defaults: object) => defaults } },
    tabs: { get: async () => ({ url: "http://a/" }) },
    scripting: { executeScript: async () => [] },
    debugger: {
      attach: async () => {},
      sendCommand: async (target: object, method: string, params: object) =>
        method === "Page.printToPDF" ? sendCommand(target, method, params) : {},
    },
  });
  const { pdf } = await import("./pdf");
  return pdf.run(payload, context);
}

afterEach(() => vi.unstubAllGlobals());

describe("a page on paper", () => {
  it("is printed as asked", async () => {
    const asked: object[] = [];
    const printed = printing((_target, _method, params) => {
      asked.push(params);
      return { data: "JVBERi0=", stream: "1" };
    });
    expect(await printed).toEqual({ data: "JVBERi0=" });
    expect(asked).toEqual([
      { landscape: true, printBackground: false, scale: 0.5, transferMode: "ReturnAsBase64" },
    ]);
  });

  it.each(["PrintToPDF is not implemented", "Printing failed"])(
    "is refused in a sentence where the browser says %j",
    async (message) => {
      const failed = printing(() => {
        throw new Error(message);
      });
      await expect(failed).rejects.toMatchObject({
        code: "unsupported_page",
        details: { by: message },
      });
    },
  );
});
