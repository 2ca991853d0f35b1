import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileAtOnce } from "../compile-document.ts";
import { decidingDocument } from "../document-parts.ts";
import { MAX_TEXT_WORK, PATH_WEIGHT } from "../evaluate/text-work.ts";
import { readPolicy } from "../read-policy.ts";
import { compilePolicy } from "../testing/compile-policy.ts";
import { callOf } from "../testing/compiled.suite.ts";
import { dataFile } from "../testing/data-files.suite.ts";

interface Case {
  readonly path?: JsonValue;
  readonly cwd?: JsonValue;
  readonly truth: "holds" | "fails" | "unsure" | "missing";
}

const CONDITION = {
  field: "args.path",
  operator: "path_within",
  value: ["/srv/work", "/tmp"],
  base_field: "args.cwd",
};

function documentOf(condition: JsonObject, action: string): JsonObject {
  const tools = action === "allow" ? { denied: ["never"] } : { allowed: ["*"] };
  return { id: "p", tools, rules: [{ id: "r", match: { condition }, action }] };
}

function deciding(condition: JsonObject, action: string) {
  const reading = readPolicy(JSON.stringify(documentOf(condition, action)));
  if (!reading.ok) throw new Error(JSON.stringify(reading.diagnostics));
  return decidingDocument(reading.document);
}

const policies = ["deny", "allow"].map((action) => compileAtOnce(deciding(CONDITION, action)));
const negated = compileAtOnce(deciding({ not: CONDITION }, "deny"));

function decide(args: JsonObject): readonly string[] {
  return [...policies, negated].map((policy) => policy.evaluate(callOf("t", args)).decision);
}

/** How a denying, an allowing and a negated denying rule decide. */
const DECISIONS = {
  holds: ["deny", "allow", "allow"],
  fails: ["allow", "deny", "deny"],
  unsure: ["deny", "deny", "deny"],
  missing: ["deny", "deny", "deny"],
} as const;

describe("path_within with base_field", () => {
  // proves POL-49
  it.each(dataFile<Case[]>("base-fields.yaml"))("$path in $cwd: $truth", ({ truth, ...args }) => {
    expect(decide(args)).toEqual(DECISIONS[truth]);
  });

  // proves POL-49
  it("makes no claim where the folder is not certainly one", () => {
    const odd = fc.oneof(
      fc.jsonValue().filter((value) => typeof value !== "string" || !value.startsWith("/")),
      fc.constantFrom(
        "/srv/../etc",
        "/srv//work",
        "/srv/%2e%2e",
        "/srv/work\\..",
        "/srv/ ",
        "/srv/a;b",
        "/srv\t",
      ),
      fc.constantFrom("~", "C:/srv", "file:///srv", "srv"),
    );
    fc.assert(
      fc.property(odd, (cwd) => {
        expect(decide({ path: "a", cwd: cwd as JsonValue })).toEqual(DECISIONS.unsure);
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  it("counts the folder in the work of the call", () => {
    const long = "/a".repeat(Math.ceil(MAX_TEXT_WORK / PATH_WEIGHT / 4));
    expect(decide({ path: "a", cwd: long })).toEqual(DECISIONS.unsure);
  });

  it("judges the elements of a list in the same folder", () => {
    const { operator, value, base_field } = CONDITION;
    const policy = compileAtOnce(
      deciding({ field: "args.paths", every: { operator, value, base_field } }, "allow"),
    );
    const decideAll = (paths: JsonValue, cwd: JsonValue) =>
      policy.evaluate(callOf("t", { paths, cwd })).decision;
    expect(decideAll(["a", "../work/b", "/tmp/c"], "/srv/work")).toBe("allow");
    expect(decideAll(["a", "../../etc"], "/srv/work")).toBe("deny");
    expect(decideAll(["a"], null)).toBe("deny");
  });

  it("names both arguments where it cannot judge", () => {
    const policy = compileAtOnce(deciding(CONDITION, "deny"));
    expect(policy.evaluate(callOf("t", { path: "a" })).reason).toContain(
      "args.path cannot be judged together with args.cwd by the operator path_within",
    );
  });

  it.each([
    ["beside base", { base: "/srv" }, "base_field cannot be combined with base"],
    ["beside a relative folder", { value: "out" }, "base_field says where relative paths begin"],
    ["that is not an argument", { base_field: "agent_id" }, '"agent_id" is not an argument of a call'],
    ["with a wildcard", { base_field: "args.*" }, '"args.*" has a wildcard'],
  ])("is refused %s", (_, more, message) => {
    const result = compilePolicy(JSON.stringify(documentOf({ ...CONDITION, ...more }, "deny")));
    expect(result.ok ? "" : result.diagnostics[0]?.message).toContain(message);
  });
});
