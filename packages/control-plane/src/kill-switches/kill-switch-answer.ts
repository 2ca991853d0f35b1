import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { type Acknowledgements, isEnforced } from "../await-acknowledgements.ts";
import type { ProbeResult, RecentCallers } from "../propagation.ts";
import { unseenWarning } from "./unseen-warning.ts";

/** A switch after an activation, in its wire form. */
export interface KillSwitchAnswer extends KillSwitchRecord, Acknowledgements {
  readonly kind: "activated";
  /** Present when no gateway has seen the target, whose name may then be misspelt. */
  readonly warning?: string;
  /** True only when every known gateway has acknowledged that it enforces the switch. */
  readonly enforced: boolean;
  /** Whether this activation gave an active switch a later end. */
  readonly extended: boolean;
  /** Who has called lately and is stopped; null: that is not known. */
  readonly affected: RecentCallers | null;
}

export interface AnswerFacts {
  readonly acknowledgements: Acknowledgements;
  readonly probe: ProbeResult | null;
  readonly affected: RecentCallers | null;
  readonly extended: boolean;
  /** A text that stands before the note about gateways. */
  readonly remark?: string;
}

export function killSwitchAnswer(record: KillSwitchRecord, facts: AnswerFacts): KillSwitchAnswer {
  const { acknowledgements, probe, affected, extended, remark } = facts;
  const { gateways, lease_ends_at, note } = acknowledgements;
  const notes = [remark, note].filter((text) => text !== undefined);
  const warning = unseenWarning(record, probe?.sighting ?? null);
  return {
    ...(warning === null ? {} : { warning }),
    kind: "activated",
    ...record,
    gateways,
    ...(lease_ends_at === undefined ? {} : { lease_ends_at }),
    enforced: isEnforced(gateways),
    extended,
    affected,
    ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
  };
}
