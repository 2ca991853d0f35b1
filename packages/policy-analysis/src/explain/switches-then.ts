import type { DecisionRow } from "@svc/contract/audit-row";
import type { DecisionExplanation } from "@svc/contract/decision-explanation";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { RecordedDecision } from "./recorded-decision.ts";

/** The kill switches of the time of a decision. */
export interface SwitchesThen {
  readonly checked: readonly string[];
  readonly active: DecisionExplanation["kill_switches"]["active"];
  /**
   * Whether the decision is the one that the switches lead to. `within_lease`: a change of a switch was so
   * recent that its gateway need not have applied it yet.
   */
  readonly fit: "fits" | "within_lease" | "differs";
  readonly doubt: string | null;
}

/** Compares the decision with what the records of the switches say about its time. */
export function checkSwitches({ row, switches }: RecordedDecision): SwitchesThen {
  const atMs = Date.parse(row.time);
  const naming = switches.filter((record) => namesCall(record, row));
  const active = naming.filter((record) => startOf(record) <= atMs && atMs < endOf(record));
  const shown = active.map(shownSwitch);
  return { checked: checkedNames(row), active: shown, ...judge(row, { switches, naming, active, atMs }) };
}

function shownSwitch(record: KillSwitchRecord): SwitchesThen["active"][number] {
  const { kill_switch_id, scope, target_id, account_wide, reason, activated_at, ended_at } = record;
  return { kill_switch_id, scope, target_id, account_wide, reason, activated_at, ended_at };
}

interface Known {
  readonly switches: readonly KillSwitchRecord[];
  readonly naming: readonly KillSwitchRecord[];
  readonly active: readonly KillSwitchRecord[];
  readonly atMs: number;
}

type Judged = Pick<SwitchesThen, "fit" | "doubt">;

const FITS: Judged = { fit: "fits", doubt: null };

function judge(row: DecisionRow, known: Known): Judged {
  if (row.reason_code === "kill_switch") return judgeStopped(row.kill_switch_id ?? "", known);
  const oldest = known.active.toSorted((one, other) => startOf(one) - startOf(other))[0];
  if (oldest === undefined) return FITS;
  const lateMs = known.atMs - startOf(oldest);
  const { kill_switch_id: id } = oldest;
  const doubt = `Kill switch ${id} was activated ${String(lateMs)} ms before this decision`;
  if (lateMs <= CONTROL_LEASE_MS)
    return { fit: "within_lease", doubt: `${doubt}, and its gateway had not applied it yet.` };
  // A call that a fault or the gateway itself denied was stopped as well.
  return row.decision === "deny"
    ? { fit: "fits", doubt: `${doubt}, and would have denied the call, too.` }
    : { fit: "differs", doubt: `${doubt} and names the call, which was not denied.` };
}

function judgeStopped(id: string, { switches, naming, atMs }: Known): Judged {
  const named = switches.find(({ kill_switch_id }) => kill_switch_id === id);
  if (named === undefined) return { fit: "differs", doubt: `The store has no kill switch ${id}.` };
  if (!naming.includes(named)) return { fit: "differs", doubt: `Kill switch ${id} does not name this call.` };
  // A gateway checks a switch before it writes the row, so a switch is never younger than its row.
  if (startOf(named) > atMs + CONTROL_LEASE_MS)
    return { fit: "differs", doubt: `Kill switch ${id} was activated after this decision.` };
  const lateMs = atMs - endOf(named);
  if (lateMs < 0) return FITS;
  const doubt = `Kill switch ${id} had ended ${String(lateMs)} ms before this decision`;
  return lateMs <= CONTROL_LEASE_MS
    ? { fit: "within_lease", doubt: `${doubt}, and its gateway had not applied that yet.` }
    : { fit: "differs", doubt: `${doubt}.` };
}

function namesCall({ account_wide, scope, target_id }: KillSwitchRecord, row: DecisionRow): boolean {
  if (account_wide) return true;
  switch (scope) {
    case "namespace":
      return target_id === row.namespace;
    case "agent":
      return target_id === row.agent_id;
    case "session":
      return target_id === row.session_id;
    case "tool":
      return target_id === row.tool;
    case "global":
      return true;
  }
}

function startOf({ activated_at }: KillSwitchRecord): number {
  return Date.parse(activated_at);
}

function endOf({ ended_at }: KillSwitchRecord): number {
  return ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(ended_at);
}

function checkedNames({ namespace, agent_id, session_id, tool }: DecisionRow): readonly string[] {
  const session = session_id === null ? [] : [`session ${session_id}`];
  return ["account", `namespace ${namespace}`, `agent ${agent_id}`, ...session, `tool ${tool}`];
}
