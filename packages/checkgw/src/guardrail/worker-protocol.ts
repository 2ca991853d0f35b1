import type { ReasonCode } from "@svc/contract/verdict";
import type { Identity } from "@svc/tool-calls/identity";
import type { GuardrailAnswer, GuardrailJob } from "./judge-guardrail.ts";

/** Messages between the serving thread and the one that judges. One job, one answer. */

export interface WorkerSettings {
  readonly fixed: Identity;
  /** A text, because a URL object cannot be passed to a thread. */
  readonly gatewayUrl: string;
  readonly apiKey: string | null;
  readonly orgId: string | null;
  /** Milliseconds that one decision may take, and also a whole request. */
  readonly timeoutMs: number;
}

export type WorkerOrder =
  | {
      readonly kind: "judge";
      readonly id: number;
      readonly job: GuardrailJob;
      /** When the request's budget ends, on the shared clock. */
      readonly deadlineMs: number;
    }
  | { readonly kind: "close" };

export type WorkerNews =
  | { readonly kind: "ready" }
  /** The budget had ended before the job was begun. */
  | { readonly kind: "late"; readonly id: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: GuardrailAnswer }
  /** For the log: a decision that was not obtained, or an outcome that was not reported. */
  | {
      readonly kind: "fault";
      readonly reason: string;
      readonly reason_code?: ReasonCode;
      readonly decision_id?: string;
    };

/** Milliseconds that only move forward, the same in every thread of a process. */
export function sharedClockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
