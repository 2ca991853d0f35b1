import { describe, expect, it } from "vitest";
import { compilePolicy } from "../testing/compile-policy.ts";

/** The findings of a policy with a condition on time. */
function findings(value: unknown): string[] {
  const result = compilePolicy(
    JSON.stringify({
      id: "p",
      rules: [
        {
          id: "r",
          match: { tool: "t", condition: { field: "time", operator: "within", value } },
          action: "allow",
        },
      ],
    }),
  );
  return result.ok ? [] : result.diagnostics.map(({ code, message, fix }) => `${code}: ${message} (${fix})`);
}

const ZONE = { zone: "Europe/Berlin" };

describe("the value of within", () => {
  it.each([
    { days: ["mon-fri"], from: "09:00", to: "18:00", ...ZONE },
    { days: "sat-mon", ...ZONE },
    { from: "22:00", to: "06:00", zone: "UTC" },
    { from: "00:00", to: "24:00", ...ZONE },
    { after: "2026-01-01T00:00:00Z" },
    { after: "2026-01-01T00:00:00+01:00", before: "2026-01-01T00:00:00Z", days: ["mon"], ...ZONE },
  ])("may be %j", (value) => {
    expect(findings(value)).toEqual([]);
  });

  it.each([
    [{ days: ["monday"], ...ZONE }, "is not a day of the week"],
    [{ days: ["mon-fri-sat"], ...ZONE }, "is not a day of the week"],
    [{ days: [], ...ZONE }, "policy/empty"],
    [{ from: "9:00", to: "18:00", ...ZONE }, "is not a time of day"],
    [{ from: "09:00", to: "25:00", ...ZONE }, "is not a time of day"],
    [{ from: "09:00", ...ZONE }, "the key to is missing"],
    [{ to: "09:00", ...ZONE }, "the key from is missing"],
    [{ days: ["mon"] }, "the key zone is missing"],
    [{ ...ZONE }, "the key from is missing"],
    [{ from: "09:00", to: "09:00", ...ZONE }, "the same time"],
    [{ days: ["mon"], zone: "CET" }, "is not a time zone"],
    [{ after: "2026-01-01" }, "is not an instant"],
    [{ after: "2026-02-30T00:00:00Z" }, "is not an instant"],
    [{ after: "2026-01-01T00:00:00" }, "is not an instant"],
    [{ after: "2026-01-02T00:00:00Z", before: "2026-01-01T00:00:00Z" }, "no time lies between"],
    [{}, "policy/empty"],
    [{ until: "x" }, "policy/unknown-key"],
    ["09:00", "policy/wrong-type"],
  ])("may not be %j: %s", (value, finding) => {
    expect(findings(value).join("\n")).toContain(finding);
  });

  it("judges the time alone, and nothing else judges it", () => {
    const codes = ["args.x", "time"].map((field, at) => {
      const condition = {
        field,
        operator: at === 0 ? "within" : "==",
        value: { after: "2026-01-01T00:00:00Z" },
      };
      const result = compilePolicy(
        JSON.stringify({ id: "p", rules: [{ id: "r", match: { condition }, action: "deny" }] }),
      );
      return result.ok ? [] : result.diagnostics.map(({ code }) => code);
    });
    expect(codes).toEqual([["policy/invalid-value"], ["policy/invalid-value"]]);
  });
});
