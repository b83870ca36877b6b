import { describe, expect, it } from "vitest";
import { referencedSteps, substitute } from "./substitution";

const results = [{ "a/b": { "m~n": [10, 20] }, "": "empty key" }, null];

describe("a reference", () => {
  it.each([
    ["", results[0]],
    ["/a~1b/m~0n/1", 20],
    ["/", "empty key"],
  ])("with pointer %j is resolved as RFC 6901 says", (pointer, value) => {
    expect(substitute({ deep: [{ $step: 0, pointer }] }, results)).toEqual({ deep: [value] });
  });

  it.each(["/nothing", "/a~1b/m~0n/2", "a", "/__proto__", "/a~1b/m~0n/length/x"])(
    "with pointer %j to nothing is refused",
    (pointer) => {
      const substituting = () => substitute({ $step: 0, pointer }, results);
      expect(substituting).toThrowError(expect.objectContaining({ code: "invalid_arguments" }));
    },
  );

  it("to a step that has not been is refused", () => {
    const substituting = () => substitute({ $step: 2, pointer: "" }, results);
    expect(substituting).toThrowError(expect.objectContaining({ code: "invalid_arguments" }));
  });

  it("is only what has nothing but `$step` and `pointer`", () => {
    const payload = { $step: 0, pointer: "", more: true };
    expect(substitute(payload, results)).toEqual(payload);
    expect(referencedSteps([payload, { $step: 1, pointer: "" }])).toEqual([1]);
  });
});
