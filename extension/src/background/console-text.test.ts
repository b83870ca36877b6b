import { describe, expect, it } from "vitest";
import { isVague, type Preview, type RemoteValue, textOfCall, withLook } from "./console-text";

const string = (value: string): RemoteValue => ({ type: "string", value });
const number = (value: number): RemoteValue => ({
  type: "number",
  value,
  description: String(value),
});

function object(description: string, preview?: Partial<Preview>): RemoteValue {
  const kind = { type: "object", ...(preview?.subtype && { subtype: preview.subtype }) };
  if (!preview) return { ...kind, description, objectId: "1" };
  return { ...kind, description, preview: { ...kind, description, properties: [], ...preview } };
}

describe("what a page writes to its console", () => {
  it.each<[string, RemoteValue[], string]>([
    ["strings plainly", [string("one"), string("two")], "one two"],
    ["numbers as numbers", [number(1), { type: "number", unserializableValue: "-0" }], "1 -0"],
    ["nothing", [{ type: "undefined" }, { type: "object", subtype: "null" }], "undefined null"],
    ["long integers", [{ type: "bigint", unserializableValue: "3n" }], "3n"],
    [
      "objects by what is in them",
      [
        object("Object", {
          properties: [
            { name: "a", type: "number", value: "1" },
            { name: "b", type: "string", value: 'x"' },
          ],
          overflow: true,
        }),
      ],
      '{a: 1, b: "x\\"", …}',
    ],
    [
      "objects of a class by its name too",
      [object("Boat", { properties: [{ name: "sail", type: "accessor" }] })],
      "Boat {sail: (…)}",
    ],
    [
      "lists",
      [
        object("Array(2)", {
          subtype: "array",
          properties: [
            { name: "0", type: "number", value: "1" },
            { name: "1", type: "object", value: "Object" },
          ],
        }),
      ],
      "[1, Object]",
    ],
    [
      "maps",
      [
        object("Map(1)", {
          subtype: "map",
          entries: [
            {
              key: { type: "string", description: "k", properties: [] },
              value: { type: "number", description: "2", properties: [] },
            },
          ],
        }),
      ],
      'Map(1) {"k" => 2}',
    ],
    [
      "errors with their stack",
      [{ type: "object", subtype: "error", description: "Error: no\n    at a.js:1:2" }],
      "Error: no\n    at a.js:1:2",
    ],
    ["functions by their first line", [{ type: "function", description: "() => {\n}" }], "() => {"],
  ])("is told with %s", (_, values, text) => {
    expect(textOfCall(values)).toBe(text);
  });

  it.each<[RemoteValue[], string]>([
    [[string("%s is %d"), string("Bob"), number(4.7)], "Bob is 4"],
    [[string("%cred"), string("color:red")], "red"],
    [[string("100%% of %s")], "100%% of %s"],
    [[string("%s"), string("a"), string("b")], "a b"],
    [[string("%s %s"), string("a")], "a %s"],
  ])("is formatted as it says: %j", (values, text) => {
    expect(textOfCall(values)).toBe(text);
  });

  it("is vague where nobody looked into an object, and clear afterwards", () => {
    const boat = object("Boat");
    const look = { properties: [{ name: "a", type: "number", value: "1" }] };
    expect(isVague(boat)).toBe(true);
    expect(isVague(withLook(boat, look))).toBe(false);
    expect(textOfCall([withLook(boat, look)])).toBe("Boat {a: 1}");
    expect(isVague(string("x"))).toBe(false);
  });
});
