import { judgeFeed } from "./judge-feed.ts";
import { judgeKills } from "./judge-kills.ts";
import { judgeLeases } from "./judge-leases.ts";
import { judgeRecovery, type RecoveryJudgement } from "./judge-recovery.ts";
import { judgeRows } from "./judge-rows.ts";
import type { Records, Trace } from "./trace.ts";

/** Judges a trace by every rule. Nothing in this folder uses code of the product. */
export function judgeTrace(trace: Trace, records: Records, backWithinMs: number): RecoveryJudgement {
  const recovery = judgeRecovery(trace, backWithinMs);
  const parts = [
    judgeKills(trace),
    judgeLeases(trace),
    judgeRows(trace, records),
    judgeFeed(trace, records),
    recovery,
  ];
  return {
    findings: parts.flatMap(({ findings }) => findings),
    judged: Object.assign({}, ...parts.map(({ judged }) => judged)) as Record<string, number>,
    recoveries: recovery.recoveries,
  };
}
