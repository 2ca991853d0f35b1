import type { AuditRow, DecisionRow, OutcomeRow } from "@svc/contract/audit-row";
import { expect, expectTypeOf, it } from "vitest";
import { ROW_BEGINS } from "./row-begins.ts";
import { rowText } from "./row-text.ts";

/** The kinds of rows that have all of some members and none of others. */
type KindsWith<Row extends AuditRow, Has extends string, Lacks extends string> = Row extends AuditRow
  ? Has extends keyof Row
    ? Lacks & keyof Row extends never
      ? Row["kind"]
      : never
    : never
  : never;

it("belongs to one kind of row, as the compiler says of every kind", () => {
  expectTypeOf<KindsWith<AuditRow, "approval_id", "action">>().toEqualTypeOf<"decision">();
  expectTypeOf<KindsWith<AuditRow, "cost_usd", "action" | "agent_id">>().toEqualTypeOf<"outcome">();
});

it("is what the rows of decisions and outcomes begin with", () => {
  const common = { v: 1, time: "2026-01-01T00:00:00.000Z", org: "o", principal: "p" } as const;
  const names = { agent_id: 'a"b', approval_id: null, args: {}, decision: "deny" };
  const decision = { ...common, ...names, kind: "decision" } as unknown as DecisionRow;
  expect(rowText(decision).startsWith(`${ROW_BEGINS.decision}"a\\"b"${ROW_BEGINS.decisionOn}`)).toBe(true);
  const ends = { decision_id: "d", status: "succeeded", overage_usd: null, duration_ms: null } as const;
  const outcome: OutcomeRow = { ...common, ...ends, kind: "outcome", cost_usd: null };
  expect(rowText(outcome).startsWith(ROW_BEGINS.outcome)).toBe(true);
});
