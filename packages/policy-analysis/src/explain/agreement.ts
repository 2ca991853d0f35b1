import type { DecisionRow } from "@svc/contract/audit-row";
import type { Explanation } from "@svc/contract/policy-explanation";
import { canonicalJson } from "@svc/text/canonical-json";
import { formatUsd, parseUsd } from "@svc/text/usd";
import { type DecidedAgain, isApproved, isDeniedWithGrant, isNotOpened } from "./decided-again.ts";
import { type MaskedRow, sameDigest } from "./masked-row.ts";
import type { RecordedDecision } from "./recorded-decision.ts";
import type { SwitchesThen } from "./switches-then.ts";

export interface Agreement {
  /** Null: it cannot be said. */
  readonly agrees: boolean | null;
  readonly doubts: readonly string[];
}

export interface Compared {
  readonly recorded: RecordedDecision;
  readonly masks: MaskedRow;
  readonly switches: SwitchesThen;
  readonly decided: DecidedAgain | null;
}

/** Whether the decision was reached again. Nothing that the row does not hold counts as agreement. */
export function judgeAgreement(compared: Compared): Agreement {
  const { switches, recorded, decided } = compared;
  const noted = switches.doubt === null ? [] : [switches.doubt];
  if (switches.fit === "differs") return { agrees: false, doubts: noted };
  const { row } = recorded;
  if (row.reason_code === "kill_switch") return { agrees: true, doubts: noted };
  if (decided === null) return { agrees: null, doubts: [...noted, whyNotDecided(row)] };
  const unread = undecidable(compared, decided);
  if (unread.length > 0) return { agrees: null, doubts: [...noted, ...unread] };
  const differences = differencesOf(compared, decided);
  if (differences.length === 0 || hasLedThere(row, decided)) return { agrees: true, doubts: noted };
  if (!isDeniedWithGrant(row) || isCeiling(row)) return { agrees: false, doubts: [...noted, ...differences] };
  return { agrees: null, doubts: [...noted, EDITED] };
}

const EDITED =
  "The approval of the call set other arguments. The policy denied those, and the row of the call does not " +
  "hold them.";

/** Whether the pause that was decided again is what led to the deny of the row. */
function hasLedThere(row: DecisionRow, { simulation: { verdict, explanation } }: DecidedAgain): boolean {
  if (verdict.decision !== "pause") return false;
  if (isNotOpened(row)) return row.rule_id === verdict.rule_id;
  if (!isDeniedWithGrant(row)) return false;
  const { max_steps: steps, max_usd_per_session: cost } = explanation.ceilings;
  if (row.reason_code === "max_steps") return steps?.exceeded === true;
  return row.reason_code === "max_cost" && cost?.exceeded === true;
}

function isCeiling({ reason_code: code }: Pick<DecisionRow, "reason_code">): boolean {
  return code === "max_steps" || code === "max_cost";
}

function whyNotDecided(row: DecisionRow): string {
  const { policy_id: id, policy_version: version, reason_code: code } = row;
  if (row.fail_closed) return "A fault denied this call. Faults are not decided again.";
  if (id === null)
    return `The gateway itself denied this call (${code ?? "no reason"}), and no policy decided.`;
  if (row.session_usage === undefined && row.session_id !== null)
    return "The policy reads what the session had used, and the row, of an earlier build, does not hold it.";
  return `The store does not have version ${String(version)} of policy ${id}.`;
}

/** What the decision depended on that the row does not hold. */
function undecidable(
  { masks, recorded }: Compared,
  { simulation, maskedReads }: DecidedAgain,
): readonly string[] {
  const { ceilings } = simulation.explanation;
  const { row } = recorded;
  const doubts: string[] = [];
  if (masks.masked === null)
    doubts.push("The digests of the row do not fit its arguments, and no mask says why: a key was replaced.");
  if (masks.names) doubts.push("The row masks a name of the call.");
  doubts.push(...maskedReads);
  const { reason_code } = row.would_be ?? row;
  const reached = isCeiling({ reason_code });
  if (reached && hasCeiling(ceilings) && row.session_usage === undefined)
    doubts.push("The row, of an earlier build, does not hold what the session had used.");
  return doubts;
}

function hasCeiling({ max_steps, max_usd_per_session }: Explanation["ceilings"]): boolean {
  return max_steps !== null || max_usd_per_session !== null;
}

function differencesOf(compared: Compared, decided: DecidedAgain): readonly string[] {
  const { row } = compared.recorded;
  const { verdict, evaluation } = decided.simulation;
  const differences: string[] = [];
  const compare = (name: string, recorded: unknown, found: unknown): void => {
    if (recorded !== found)
      differences.push(
        `${name}: the row says ${String(recorded)}, the same policy now says ${String(found)}.`,
      );
  };
  if (isApproved(row, decided)) return differences;
  compare("decision", row.decision, verdict.decision);
  compare("reason_code", row.reason_code, verdict.reason_code);
  compare("rule_id", row.rule_id, verdict.rule_id);
  compare("mode", row.mode, decided.simulation.explanation.mode);
  compare("would_be.decision", row.would_be?.decision ?? null, verdict.would_be?.decision ?? null);
  compare("would_be.reason_code", row.would_be?.reason_code ?? null, verdict.would_be?.reason_code ?? null);
  compare("would_be.rule_id", row.would_be?.rule_id ?? null, verdict.would_be?.rule_id ?? null);
  compare("cost_usd", formatUsd(parseUsd(row.cost_usd) ?? 0), formatUsd(evaluation.costMicroUsd));
  differences.push(...rewriteDifference(compared, evaluation.shapedArgs));
  return differences;
}

/** Rewritten arguments are compared by their digest, which a mask changes. */
function rewriteDifference(
  { recorded: { row, digest }, masks }: Compared,
  shaped: DecidedAgain["call"]["args"] | null,
): readonly string[] {
  const recorded = row.shaped_args_digest;
  if (masks.args || isCeiling(row)) return [];
  if (recorded === null && shaped === null) return [];
  if (recorded !== null && shaped !== null && sameDigest(recorded, canonicalJson(shaped), digest)) return [];
  return ["The arguments are rewritten in another way."];
}
