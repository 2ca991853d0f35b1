import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { describe, expect, it } from "vitest";
import type { Check } from "../judge/check.ts";
import { makeReport, startReport } from "./make-report.ts";
import { renderReport } from "./render-report.ts";
import { readSignedReport, signReport } from "./signed-report.ts";

const CHECK: Check = {
  id: "propagation",
  subject: "agent",
  gateway: "gw-1",
  verdict: "passed",
  figures: { at_most_ms: 12.5, none: null },
  detail: "in time",
};

const reportOf = (checks: readonly Check[], endedEarly: string | null = null) =>
  makeReport({
    ...startReport(),
    drill: "kill",
    subject: { kind: "local", description: "3 gateways", versions: { "gw-1": "0.1.0" } },
    settings: { target_ms: 100 },
    endedEarly,
    checks,
  });

// proves DRILL-06
describe("a signed report", () => {
  const signer = parseSigner("svc-drill", generateSigningKey());
  const text = signReport(signer, reportOf([CHECK]));

  it("verifies with its key and with no other", () => {
    expect(readSignedReport(text, [signer.verifier])).toMatchObject({
      kind: "valid",
      report: { verdict: "passed" },
    });
    const other = parseSigner("svc-drill", generateSigningKey());
    expect(readSignedReport(text, [other.verifier])).toEqual({
      kind: "unknown_key",
      neededKeys: [`svc-drill+${signer.verifier.id}`],
    });
  });

  it("does not verify when a byte was changed", () => {
    const start = text.indexOf("12.5");
    const changed = `${text.slice(0, start)}10.5${text.slice(start + 4)}`;
    expect(readSignedReport(changed, [signer.verifier])).toEqual({ kind: "bad_signature" });
    for (const cut of ["", text.slice(0, -1), text.slice(0, start)])
      expect(readSignedReport(cut, [signer.verifier]).kind).toBe("malformed");
  });

  it("is read when it is longer than a checkpoint", () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ ...CHECK, subject: `scope ${String(index)}` }));
    expect(readSignedReport(signReport(signer, reportOf(many)), [signer.verifier]).kind).toBe("valid");
  });
});

// proves DRILL-05
it("a drill that ended early has not measured, whatever passed until then", () => {
  const report = reportOf([CHECK], "interrupted");
  expect(report.verdict).toBe("not_measured");
  expect(renderReport(report)).toContain("ended early: interrupted");
});

it("shows a line for each claim, and why one failed", () => {
  const late: Check = {
    ...CHECK,
    gateway: "gw-2",
    verdict: "failed",
    figures: { at_most_ms: 170 },
    detail: "late",
  };
  const lines = renderReport(reportOf([CHECK, late])).split("\n");
  expect(lines[1]).toBe("FAILED   agent  a kill arrives in time  at most ms 170");
  expect(lines[2]).toBe("FAILED: agent: late");
  expect(lines.at(-2)).toMatch(/^drill kill: FAILED, 1 of 2 checks passed, 3 gateways, [0-9.]+ s$/);
});
