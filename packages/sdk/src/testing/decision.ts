import type { JsonObject } from "@svc/text/json-value";

/** A call that was decided. What does not apply is null. */
export interface Decision {
  /** Null for a deny that a fault caused before there was a row. */
  readonly decisionId: string | null;
  /** RFC 3339, by the clock of the test gateway. */
  readonly time: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly namespace: string;
  readonly tool: string;
  /** As they were judged. */
  readonly args: JsonObject;
  readonly decision: "allow" | "deny" | "pause";
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly ruleId: string | null;
  readonly failClosed: boolean;
  readonly policyId: string | null;
  /** What enforcement would have answered, where the mode of the policy allowed the call. */
  readonly wouldBe: JsonObject | null;
  /** The arguments that the tool gets in place of its own. */
  readonly shapedArgs: JsonObject | null;
  readonly approvalId: string | null;
  readonly killSwitchId: string | null;
  /** Whether the call had been decided before under its key. */
  readonly repeated: boolean;
  /** How the call ended, as far as it was reported. */
  readonly outcome: string | null;
}

/** What a test says of one decision. A member that is left out may be anything; `args` are all arguments. */
export type ExpectedDecision = Partial<
  Pick<
    Decision,
    | "tool"
    | "args"
    | "agentId"
    | "sessionId"
    | "namespace"
    | "ruleId"
    | "reasonCode"
    | "shapedArgs"
    | "outcome"
  >
> & {
  /** One decision, a list of which one is enough, or `not_allow`: any with which the call does not run. */
  readonly decision?: OneExpected | readonly OneExpected[];
};

type OneExpected = Decision["decision"] | "not_allow";
