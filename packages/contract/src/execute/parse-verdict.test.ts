import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import { strictValue } from "@svc/text/testing/strict-value-suite";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseVerdict } from "./parse-verdict.ts";
import { DECISIONS, failClosedDeny, mostRestrictive, type Verdict } from "./verdict.ts";

interface Vector {
  readonly description: string;
  readonly text: string;
  readonly verdict?: Verdict;
  readonly pointers?: readonly string[];
}

const ALLOW = { decision: "allow", decision_id: "gw.1", args_constrained: false };

/** Mostly the first value, sometimes another, sometimes none. */
function mostly(first: unknown, ...others: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fc.constant(first), weight: 5 }, fc.constantFrom(...others));
}

const mostlyAllows = fc.record(
  {
    decision: mostly("allow", "deny", "pause", "ALLOW", true, null),
    decision_id: mostly("gw.1", "", 1, null),
    args_constrained: mostly(false, true, "true", 0, null),
    shaped_args: mostly({}, [], null, "x"),
    reason: mostly("no", "", 1),
    approval_url: mostly("https://a.example/1", "x", null),
    fail_closed: mostly(false, true, "false"),
  },
  { requiredKeys: ["decision", "decision_id", "args_constrained"] },
);

describe("verdicts", () => {
  it.each(loadVectors<Vector>("verdict"))("$description", ({ text, verdict, pointers }) => {
    const parsed = parseVerdict(strictValue(text));
    if (parsed.ok) expect(parsed.value).toEqual(verdict);
    else expect(parsed.errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it("no JSON value but a whole allow is read as one", () => {
    let allows = 0;
    fc.assert(
      fc.property(mostlyAllows, (body) => {
        const parsed = parseVerdict(body as JsonValue);
        if (!parsed.ok || parsed.value.decision !== "allow") return;
        allows += 1;
        expect(body.decision).toBe("allow");
        expect(body.decision_id).toBe("gw.1");
        expect(body.fail_closed ?? false).toBe(false);
        expect(body.approval_url).toBeUndefined();
        expect(body.args_constrained === true ? body.shaped_args : {}).toEqual({});
        expect(body.args_constrained === false && "shaped_args" in body).toBe(false);
      }),
      { numRuns: runs(5_000, 50_000) },
    );
    expect(allows).toBeGreaterThan(10);
  });

  it("nothing whose decision is not exactly allow is read as one", () => {
    const decisions = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("Allow", "allow ", "allowed", "approve", true),
    );
    fc.assert(
      fc.property(decisions, fc.dictionary(fc.string(), fc.jsonValue()), (decision, more) => {
        fc.pre(decision !== "allow");
        for (const body of [decision, { ...ALLOW, ...more, decision }]) {
          const parsed = parseVerdict(body as JsonValue);
          expect(parsed.ok && parsed.value.decision).not.toBe("allow");
        }
      }),
      { numRuns: runs(1_000, 10_000) },
    );
  });

  it("E2: nothing that an object inherits is read", () => {
    const inherited = Object.create(ALLOW) as JsonObject;
    expect(parseVerdict(inherited).ok).toBe(false);
  });

  it("reads what it yields as the same verdict again", () => {
    for (const { verdict } of loadVectors<Vector>("verdict")) {
      if (verdict === undefined) continue;
      expect(parseVerdict(verdict as unknown as JsonValue)).toEqual({ ok: true, value: verdict });
    }
  });

  it("a deny that failed closed is readable", () => {
    const deny = failClosedDeny("decision_timeout", "too late");
    expect(parseVerdict(deny as unknown as JsonValue)).toEqual({ ok: true, value: deny });
  });
});

describe("the more restrictive decision", () => {
  it("starts at deny: the zero value of a decision", () => {
    expect(DECISIONS).toEqual(["deny", "pause", "allow"]);
  });

  it.each([
    ["deny", "deny", "deny"],
    ["deny", "pause", "deny"],
    ["deny", "allow", "deny"],
    ["pause", "pause", "pause"],
    ["pause", "allow", "pause"],
    ["allow", "allow", "allow"],
  ] as const)("of %s and %s is %s", (left, right, wanted) => {
    expect(mostRestrictive(left, right)).toBe(wanted);
    expect(mostRestrictive(right, left)).toBe(wanted);
  });
});
