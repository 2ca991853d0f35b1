import type { Diagnostic } from "@svc/engine/diagnostic";

/** The version of a policy that decides calls. */
export interface PolicyInForce {
  readonly policy_id: string;
  readonly version: number;
}

interface About {
  /** As a person would name it. */
  readonly file: string;
}

/** The file was not taken. What decided calls before goes on to decide them. */
interface NotTaken extends About {
  /** Null: nothing of this file was in force. */
  readonly in_force: PolicyInForce | null;
}

/** What became of a policy file. */
export type PolicyNews =
  | (About &
      PolicyInForce & {
        readonly event: "policy_loaded";
        /** Null: the policy names no agent, so it governs no call. */
        readonly agent_id: string | null;
        readonly warnings: readonly Diagnostic[];
      })
  | (NotTaken & { readonly event: "policy_refused"; readonly diagnostics: readonly Diagnostic[] })
  | (NotTaken & { readonly event: "policy_not_taken"; readonly reason: string })
  | (About & { readonly event: "policy_removed"; readonly policy_id: string });
