import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { BLOCKED, MISSING, parseFieldPath, valueAt } from "./field-path.ts";

const args: JsonObject = {
  amount: 5,
  none: null,
  text: "abc",
  card: { number: "4111", "0": "zero" },
  list: ["a", { b: 1 }, null, [7]],
  length: 3,
};

/** Not own, not enumerable, or a getter: none of it is an argument. */
const tricky = Object.create({ inherited: 1 }) as Record<string, never>;
Object.defineProperty(tricky, "hidden", { value: 1, enumerable: false });

describe("E2: field paths", () => {
  it.each([
    ["args.amount", 5],
    ["args.none", null],
    ["args.card.number", "4111"],
    ["args.card.0", "zero"],
    ["args.list.0", "a"],
    ["args.list.1.b", 1],
    ["args.list.2", null],
    ["args.list.3.0", 7],
    ["args.length", 3],
    ["args.absent", MISSING],
    ["args.card.absent", MISSING],
    ["args.list.4", MISSING],
    ["args.list.4.x", MISSING],
    ["args.toString", MISSING],
    ["args.hasOwnProperty", MISSING],
    ["args.valueOf", MISSING],
    ["args.card.toString", MISSING],
    ["args.__defineGetter__", MISSING],
    ["args.list.length", BLOCKED],
    ["args.list.-1", BLOCKED],
    ["args.list.01", BLOCKED],
    ["args.list.1e0", BLOCKED],
    ["args.list.at", BLOCKED],
    ["args.text.length", BLOCKED],
    ["args.text.0", BLOCKED],
    ["args.amount.x", BLOCKED],
    ["args.amount.constructor2", BLOCKED],
    ["args.none.x", BLOCKED],
  ])("%s", (text, wanted) => {
    const path = parseFieldPath(text);
    if (path === null) throw new Error(`${text} was refused`);
    expect(valueAt(args, path)).toBe(wanted);
  });

  it.each([
    "args",
    "args.",
    ".args",
    "args..x",
    "args.x.",
    "amount",
    "ARGS.x",
    "args[0]",
    "args.a[0]",
    "args.list. 1",
    "args.$.a",
    "args.*",
    "args.**.a",
    "args.a*",
    "args.__proto__",
    "args.__proto__.x",
    "args.constructor.name",
    "args.a.prototype",
    "",
    `args${".x".repeat(40)}`,
  ])("refuses %s", (text) => {
    expect(parseFieldPath(text)).toBeNull();
  });

  // proves POL-30
  it.each(["args.inherited", "args.hidden"])("%s is not an argument", (text) => {
    const path = parseFieldPath(text);
    expect(path === null ? null : valueAt(tricky, path)).toBe(MISSING);
  });
});
