import type { Condition } from "../condition.ts";
import type { TimeBounds } from "../evaluate/time-within.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectInstant } from "./expect-instant.ts";

/** Epoch milliseconds; null when the rule does not end. */
export function validateValidUntil(
  node: SourceNode | undefined,
  reporter: Reporter,
): number | null | "refused" {
  return node === undefined ? null : (expectInstant(node, reporter) ?? "refused");
}

/** A rule that has ended does not match: the end is one more of its conditions. */
export function endingAt(beforeMs: number, match: Condition | null): Condition {
  const operand: TimeBounds = { afterMs: null, beforeMs, week: null };
  const end: Condition = {
    kind: "question",
    subject: { kind: "time" },
    test: { operator: "within", operand, against: null, ignoreCase: false, lists: [] },
    whenMissing: null,
    nullIsMissing: false,
  };
  if (match === null) return end;
  return { kind: "all", conditions: match.kind === "all" ? [end, ...match.conditions] : [end, match] };
}
