import type { Decision } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";

/** A call that shows what a finding says. A type and not an interface: it is JSON. */
export type Witness = {
  /** As `POST policies/simulate` takes it. */
  readonly call: {
    readonly agent_id: string;
    readonly session_id: string | null;
    readonly namespace: string;
    readonly tool: string;
    readonly args: JsonObject;
    /** What the session has used before the call. */
    readonly session: { readonly steps: number; readonly cost_usd: string };
    readonly time: string;
  };
  /** What the policy answers, before mode and ceilings. */
  readonly decision: Decision;
};
