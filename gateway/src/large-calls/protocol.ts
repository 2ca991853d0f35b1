import type { ArgsEdit } from "@svc/contract/args-edit";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { ProblemEntry } from "@svc/contract/problem";
import type { JsonFault } from "@svc/contract/strict-json";
import type { Evaluation } from "@svc/engine/evaluation";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import type { RowMoment, RowText } from "../append/decision-row.ts";
import type { CallFacts } from "../call-facts.ts";
import type { Ruling } from "../evaluate/ruling.ts";

/** What the large-call thread is started with. */
export interface LargeCallWorkerData {
  /** As `KeyedDigest` takes it. */
  readonly digestKey: string;
}

/** Messages between the serving thread and the large-call thread. */

/** An order for one call. `open` is the first order; `release` is the last one and has no reply. */
export type Order =
  | { readonly kind: "open"; readonly call: number; readonly bytes: Uint8Array }
  | {
      readonly kind: "evaluate";
      readonly call: number;
      readonly source: string;
      readonly facts: CallFacts;
      readonly usage: SessionUsage | null;
      readonly edit: ArgsEdit | null;
    }
  | {
      readonly kind: "row";
      readonly call: number;
      readonly facts: CallFacts;
      readonly masking: RowMasking;
      /** Without its arguments, which stay on the thread. */
      readonly ruled: Ruling;
      /** Whether the policy wanted the arguments that the last evaluation rewrote. */
      readonly wantsShaped: boolean;
      readonly moment: RowMoment;
    }
  | { readonly kind: "release"; readonly call: number };

/**
 * What a row masks besides secrets: what a policy redacts, nothing, or everything when the
 * redactions are unknown.
 */
export type RowMasking =
  | { readonly kind: "policy"; readonly source: string }
  | { readonly kind: "none" | "unknown" };

/** The parsed request without its arguments, or why the body was refused. */
export type OpenReply =
  | {
      readonly kind: "request";
      readonly request: Omit<ExecuteRequest, "args">;
      /** Length of the arguments' canonical JSON. */
      readonly canonicalBytes: number;
    }
  | { readonly kind: "malformed"; readonly fault: JsonFault }
  | { readonly kind: "refused"; readonly errors: readonly ProblemEntry[] };

/**
 * An evaluation with its rewritten arguments, or those after an approval, as JSON text, because text
 * crosses threads faster than an object.
 */
export interface EvaluateReply {
  readonly evaluation: Evaluation;
  readonly shapedText: string | null;
  /** As in `OwnEvaluation`: the serving thread asks the further evaluators of the policy. */
  readonly input: string | null;
}

/** The reply to each kind of order. */
export interface ReplyTo {
  readonly open: OpenReply;
  readonly evaluate: EvaluateReply;
  readonly row: RowText;
}
