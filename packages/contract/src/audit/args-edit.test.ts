import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit, editBetween } from "./args-edit.ts";

const json = fc.dictionary(
  fc.string({ maxLength: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
) as fc.Arbitrary<JsonObject>;

const edited = (args: JsonObject, shown: JsonObject, wanted: JsonObject, isMasked: boolean): unknown => {
  const result = editBetween(shown, wanted, isMasked);
  if (result.kind !== "edit") return result;
  return JSON.parse(canonicalJson(applyEdit(args, result.edit)));
};

describe("an edit of arguments", () => {
  it("makes the wanted arguments of the shown ones, unless it would replace what may be masked", () => {
    fc.assert(
      fc.property(json, json, fc.boolean(), (shown, wanted, isMasked) => {
        const made = edited(shown, shown, wanted, isMasked);
        if (isMasked && typeof made === "object" && made !== null && "pointer" in made) return;
        expect(canonicalJson(made as JsonObject)).toBe(canonicalJson(wanted));
      }),
    );
  });

  it("keeps the masked values that it leaves as they were shown", () => {
    const args = { to: "a@b.c", card: "4111", items: [{ n: 1, key: "s3cret" }], note: "x" };
    const shown = { to: "a@b.c", card: "[masked]", items: [{ n: 1, key: "[masked]" }], note: "x" };
    const wanted = { to: "z@b.c", card: "[masked]", items: [{ n: 2, key: "[masked]" }], cc: [1] };
    expect(edited(args, shown, wanted, true)).toEqual({
      to: "z@b.c",
      card: "4111",
      items: [{ n: 2, key: "s3cret" }],
      cc: [1],
    });
  });

  it.each([
    ["a longer list", { list: [1] }, { list: [1, 2] }, "/list"],
    ["a list in place of an object", { a: { b: 1 } }, { a: [1] }, "/a"],
    ["arguments of which nothing is shown", { "[masked]": "all" }, { a: 1 }, ""],
  ])("is refused for %s when values are masked", (_name, shown, wanted, pointer) => {
    expect(editBetween(shown, wanted, true)).toEqual({ kind: "hidden", pointer });
    expect(editBetween(shown, wanted, false)).toMatchObject({ kind: "edit" });
  });

  it.each([
    ["an item that moved", { list: ["[masked]", "b"] }, { list: ["b", "[masked]"] }, "/list/1"],
    ["a copy", { a: "[masked:x]" }, { a: "[masked:x]", b: { c: "the [masked:x]" } }, "/b"],
  ])("is refused for a mask at another place: %s", (_name, shown, wanted, pointer) => {
    expect(editBetween(shown, wanted, true)).toEqual({ kind: "moved_mask", pointer });
    expect(editBetween(shown, wanted, false)).toMatchObject({ kind: "edit" });
  });

  it("of other arguments than those of the approval is a fault", () => {
    const change = (path: readonly (string | number)[]) => () => applyEdit({ a: 1 }, [{ path, value: 1 }]);
    expect(change(["b", "c"])).toThrow("not there");
    expect(change(["a", "c"])).toThrow("not an object");
    expect(change(["a", 0])).toThrow("not there");
    expect(() => applyEdit({ a: 1 }, [{ path: [] }])).toThrow("something else");
  });
});
