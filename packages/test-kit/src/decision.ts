import type { ExpectedDecisions } from "@svc/contract/expected-decision";
import type { OutcomeStatus } from "@svc/contract/outcome-status";
import type { Verdict, WouldBe } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";

/** A call that was decided, with its arguments as they came. */
export interface KitDecision {
  /** Null for a deny without a row, which a fault caused. */
  readonly decision_id: string | null;
  /** RFC 3339, by the clock of the kit. */
  readonly time: string;
  readonly agent_id: string;
  readonly session_id: string | null;
  readonly namespace: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly decision: Verdict["decision"];
  readonly reason: string | null;
  readonly reason_code: string | null;
  readonly rule_id: string | null;
  readonly fail_closed: boolean;
  readonly policy_id: string | null;
  /** What enforcement would have answered, where the mode of the policy allowed the call. */
  readonly would_be: WouldBe | null;
  /** The arguments that the tool gets in place of its own; null when nothing was rewritten. */
  readonly shaped_args: JsonObject | null;
  readonly approval_id: string | null;
  readonly kill_switch_id: string | null;
  /** Whether the call had been decided before under its key. */
  readonly repeated: boolean;
  /** How the call ended, as far as it was reported. */
  readonly outcome: OutcomeStatus | null;
}

/** What a test says about one decision. A member that is left out may be anything. */
export type ExpectedDecision = Partial<
  Pick<
    KitDecision,
    | "tool"
    | "args"
    | "agent_id"
    | "session_id"
    | "namespace"
    | "rule_id"
    | "reason_code"
    | "shaped_args"
    | "outcome"
  >
> & { readonly decision?: ExpectedDecisions };

export const EXPECTABLE = [
  "tool",
  "args",
  "agent_id",
  "session_id",
  "namespace",
  "decision",
  "rule_id",
  "reason_code",
  "shaped_args",
  "outcome",
] as const satisfies readonly (keyof ExpectedDecision)[];
