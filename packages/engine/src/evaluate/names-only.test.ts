import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { compileAtOnce } from "../compile-document.ts";
import { decidingDocument } from "../document-parts.ts";
import { readPolicy } from "../read-policy.ts";
import { compilePolicy } from "../testing/compile-policy.ts";
import { callOf } from "../testing/compiled.suite.ts";
import { namesOnly, parseMemberName } from "./names-only.ts";
import { TextWork } from "./text-work.ts";

const NAMES = new Set(["to", "cc"]);

function documentOf(condition: JsonObject, action: string): JsonObject {
  const tools = action === "allow" ? [] : ["*"];
  return { id: "p", tools: { allowed: tools }, rules: [{ id: "r", match: condition, action }] };
}

function decided(condition: JsonObject, action: string, args: JsonObject): string {
  const reading = readPolicy(JSON.stringify(documentOf(condition, action)));
  if (!reading.ok) throw new Error(JSON.stringify(reading.diagnostics));
  return compileAtOnce(decidingDocument(reading.document)).evaluate(callOf("t", args)).decision;
}

describe("namesOnly", () => {
  it.each<[JsonValue, string]>([
    [{}, "holds"],
    [{ to: 1, cc: { bcc: 1 } }, "holds"],
    [{ to: 1, bcc: 1 }, "fails"],
    [{ TO: 1 }, "fails"],
    [{ "to\u200b": 1 }, "fails"],
    [{ bcc: ["x", { name: "y" }] }, "fails"],
    [{ bcc: {} }, "unsure"],
    [{ bcc: [[{ to: 1 }]] }, "unsure"],
    [{ bcc: { x: { y: { to: 1 } } } }, "unsure"],
    [{ bcc: '\n{"to":1}' }, "unsure"],
    [[], "unsure"],
    ["to", "unsure"],
    [null, "unsure"],
    [7, "unsure"],
  ])("%j: %s", (value, truth) => {
    expect(namesOnly(value, NAMES, new TextWork())).toBe(truth);
  });

  // proves POL-46
  it("visits no more members than the work of a call allows", () => {
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`n${String(at)}`, [[1]]]));
    const work = new TextWork();
    const truths = Array.from({ length: 1_000 }, () => namesOnly(many, NAMES, work));
    expect(truths.indexOf("unread")).toBeGreaterThan(5);
    expect(truths.indexOf("unread")).toBeLessThan(40);
    expect(namesOnly({ to: 1 }, NAMES, work)).toBe("unread");
  });
});

describe("only_names", () => {
  const known = { field: "args", operator: "only_names", value: ["to", "cc"] };

  // proves POL-98
  it("judges all arguments in rules that allow and in rules that restrict", () => {
    const [only, not] = [{ condition: known }, { not: known }];
    for (const args of [{}, { to: 1 }, { to: [1], cc: null }]) {
      expect([decided(only, "allow", args), decided(not, "deny", args)]).toEqual(["allow", "allow"]);
      expect(decided(only, "deny", args)).toBe("deny");
    }
    for (const args of [{ bcc: 1 }, { to: 1, To: 1 }, { to: 1, recipients: ["x"] }]) {
      expect([decided(only, "allow", args), decided(not, "deny", args)]).toEqual(["deny", "deny"]);
      expect(decided(not, "require_approval", args)).toBe("pause");
    }
  });

  // proves POL-98
  it.each<(args: JsonObject) => JsonObject>([
    (args) => ({ input: args }),
    (args) => ({ arguments: [args] }),
    (args) => ({ to: "x", params: { inner: [[args]] } }),
    (args) => ({ json: JSON.stringify(args) }),
  ])("no wrapping of the arguments gets past it: %s", (wrap) => {
    for (const args of [{ to: 1 }, { to: 1, bcc: 1 }]) {
      expect(decided({ not: known }, "deny", wrap(args))).toBe("deny");
      expect(decided({ condition: known }, "allow", wrap(args))).toBe("deny");
    }
    expect(decided({ condition: known }, "deny", wrap({ to: 1 }))).toBe("deny");
  });

  it("judges each object of a list", () => {
    const every = { field: "args.items", every: { operator: "only_names", value: ["sku", "price"] } };
    expect(decided({ condition: every }, "allow", { items: [{ sku: 1 }, { sku: 2, price: 3 }] })).toBe(
      "allow",
    );
    expect(decided({ condition: every }, "allow", { items: [{ sku: 1 }, { discount: 3 }] })).toBe("deny");
    expect(decided({ condition: every }, "allow", { items: { sku: 1 } })).toBe("deny");
  });

  it("names what it cannot judge in the reason", () => {
    const policy = documentOf({ not: known }, "deny");
    const result = compilePolicy(JSON.stringify(policy));
    if (!result.ok) throw new Error("the policy is valid");
    expect(result.policy.evaluate(callOf("t", { input: { to: 1 } })).reason).toContain(
      "args holds an object below a name that is not listed, which the operator only_names does not judge",
    );
  });
});

describe("parseMemberName", () => {
  it.each([
    ["to", "to"],
    ['"a.b"', "a.b"],
    ['""', ""],
    ["0", "0"],
    ["a.b", null],
    ["*", null],
    ["", null],
    ["a b", null],
    ["__proto__", null],
    ['"a"."b"', null],
  ])("%s is %s", (text, name) => {
    expect(parseMemberName(text)).toBe(name);
  });
});
