import { describe, expect, it } from "vitest";
import { ConsoleEntries } from "./console-entries";

const frame = { functionName: "go", url: "http://a/x.js", lineNumber: 4, columnNumber: 8 };
const stackTrace = { callFrames: [frame] };

function heard(...events: [method: string, params: object][]): ConsoleEntries {
  const entries = new ConsoleEntries();
  for (const [method, params] of events) entries.hear(method, params);
  return entries;
}

function called(type: string, text: string, timestamp = 1): [string, object] {
  const args = [{ type: "string", value: text }];
  return ["Runtime.consoleAPICalled", { type, args, timestamp, stackTrace }];
}

describe("a console", () => {
  it("tells what a page wrote, from where, and how bad it is", () => {
    const { entries } = heard(
      called("log", "hello", 1),
      called("warning", "careful", 2),
      called("debug", "detail", 3),
      called("clear", "nothing", 4),
    ).log;
    expect(entries.map(({ level, text }) => `${level} ${text}`)).toEqual([
      "info hello",
      "warning careful",
      "debug detail",
    ]);
    expect(entries[0]).toEqual({
      seq: 1,
      level: "info",
      text: "hello",
      source: "http://a/x.js:5:9",
      at: 1,
    });
  });

  it("tells the stack of errors, through what set them off, up to twenty frames", () => {
    const parent = {
      callFrames: Array.from({ length: 30 }, () => ({ ...frame, functionName: "" })),
    };
    const [method, params] = called("error", "bad");
    const { entries } = heard([method, { ...params, stackTrace: { ...stackTrace, parent } }]).log;
    expect(entries[0]?.stack?.slice(0, 2)).toEqual([
      "go (http://a/x.js:5:9)",
      "(anonymous) (http://a/x.js:5:9)",
    ]);
    expect(entries[0]?.stack).toHaveLength(20);
  });

  it("tells an exception apart from its stack", () => {
    const exception = {
      type: "object",
      subtype: "error",
      description: "TypeError: boom\n    at go (http://a/x.js:5:9)\n    at http://a/x.js:9:1",
    };
    const details = {
      text: "Uncaught",
      exception,
      url: "http://a/x.js",
      lineNumber: 4,
      columnNumber: 8,
    };
    const { entries } = heard([
      "Runtime.exceptionThrown",
      { timestamp: 1, exceptionDetails: details },
    ]).log;
    expect(entries).toEqual([
      {
        seq: 1,
        level: "error",
        text: "Uncaught TypeError: boom",
        source: "http://a/x.js:5:9",
        stack: ["go (http://a/x.js:5:9)", "(anonymous) (http://a/x.js:9:1)"],
        at: 1,
      },
    ]);
  });

  it("tells what the browser complains about", () => {
    const entry = { level: "error", text: "Failed to load", timestamp: 1, url: "http://a/no.png" };
    expect(heard(["Log.entryAdded", { entry }]).log.entries).toMatchObject([
      { level: "error", text: "Failed to load", source: "http://a/no.png" },
    ]);
  });

  it("says nothing twice that the debugger repeats", () => {
    const { entries } = heard(
      called("log", "once"),
      called("log", "once"),
      called("log", "more", 2),
    ).log;
    expect(entries.map(({ text }) => text)).toEqual(["once", "more"]);
  });

  it("is told oldest first, in whatever order it was heard", () => {
    const { entries } = heard(called("log", "second", 2), called("log", "first", 1)).log;
    expect(entries.map(({ text }) => text)).toEqual(["first", "second"]);
  });

  it("keeps the newest, counts the others, and cuts what is long", () => {
    const many = Array.from({ length: 510 }, (_, at) => called("log", "x".repeat(5_000), at));
    const { entries, dropped } = heard(...many).log;
    expect(entries).toHaveLength(500);
    expect(dropped).toBe(10);
    expect(entries[0]).toMatchObject({ seq: 11, text: `${"x".repeat(3_999)}…` });
  });

  it("looks into objects that came without a look, once", async () => {
    const args = [{ type: "object", description: "Object", objectId: "o1" }];
    const console = heard(["Runtime.consoleAPICalled", { type: "log", args, timestamp: 1 }]);
    expect(console.log.entries[0]?.text).toBe("Object");
    const asked: string[] = [];
    const lookInto = async (objectId: string) => {
      asked.push(objectId);
      return { properties: [{ name: "a", type: "number", value: "1" }] };
    };
    await console.clarify(lookInto);
    await console.clarify(lookInto);
    expect(console.log.entries[0]?.text).toBe("{a: 1}");
    expect(asked).toEqual(["o1"]);
  });
});
