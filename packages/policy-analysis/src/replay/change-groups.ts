import { MAX_REPLAY_EXAMPLES, MAX_REPLAY_GROUPS } from "@svc/contract/limits";
import type { ReplayChange, ReplayGroup } from "@svc/contract/replay";

export interface ChangedDecision {
  readonly change: ReplayChange;
  readonly tool: string;
  readonly ruleId: string | null;
  readonly reasonCode: ReplayGroup["reason_code"];
  readonly wasRuleId: string | null;
  readonly wasReasonCode: ReplayGroup["was_reason_code"];
}

/** Changed decisions by what changed, rule and tool, with the first of each as examples. */
export class ChangeGroups {
  readonly #groups = new Map<
    string,
    { readonly group: Omit<ReplayGroup, "count" | "examples">; count: number; examples: string[] }
  >();
  /** Decisions of groups for which there was no room. */
  leftOut = 0;

  add(changed: ChangedDecision, decisionId: string): void {
    const { change, tool, ruleId, reasonCode, wasRuleId, wasReasonCode } = changed;
    const key = JSON.stringify([change, tool, ruleId, reasonCode, wasRuleId, wasReasonCode]);
    const known = this.#groups.get(key);
    if (known !== undefined) {
      known.count += 1;
      if (known.examples.length < MAX_REPLAY_EXAMPLES) known.examples.push(decisionId);
      return;
    }
    if (this.#groups.size >= MAX_REPLAY_GROUPS) {
      this.leftOut += 1;
      return;
    }
    const names = {
      rule_id: ruleId,
      reason_code: reasonCode,
      was_rule_id: wasRuleId,
      was_reason_code: wasReasonCode,
    };
    this.#groups.set(key, { group: { change, tool, ...names }, count: 1, examples: [decisionId] });
  }

  /** Those with most decisions first; among equals by what they say, so that equal replays list alike. */
  list(): readonly ReplayGroup[] {
    return [...this.#groups]
      .toSorted(([oneKey, one], [otherKey, other]) => other.count - one.count || (oneKey < otherKey ? -1 : 1))
      .map(([, { group, count, examples }]) => ({ ...group, count, examples }));
  }
}
