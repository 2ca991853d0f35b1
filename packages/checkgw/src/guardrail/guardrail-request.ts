import type { RefusalVerdict } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import type { AllowedCall } from "@svc/tool-calls/ask-each";
import type { CallIdentity, Identity } from "@svc/tool-calls/identity";
import type { Result } from "@svc/tool-calls/result";
import type { DistinctHeaders } from "../governance-headers.ts";

/** One question to the gateway: about a tool call, a prompt or a completion. */
export interface GuardrailQuestion {
  readonly tool: string;
  readonly args: JsonObject;
}

/** A webhook request, read strictly. */
export interface GuardrailRequest {
  readonly caller: CallIdentity;
  /** In the order in which they are asked. Never empty, so that no message passes unjudged. */
  readonly questions: readonly GuardrailQuestion[];
  /** False when the caller has already passed the message on. A block is then only answered and recorded. */
  readonly enforced: boolean;
  /**
   * The answer that lets the message pass, or why this dialect cannot carry it.
   * @param allowed one entry per question
   */
  readonly pass: (allowed: readonly AllowedCall[]) => Result<JsonObject>;
}

/** Why a message is blocked. */
export interface Block {
  readonly verdict: RefusalVerdict;
  /** The tool of the question that was not allowed; null when none was asked. */
  readonly tool: string | null;
  readonly enforced: boolean;
}

/** A block as one sentence for people, where a dialect has room for nothing else. */
export function blockText({ verdict, tool }: Block): string {
  const about = tool === null ? "" : `${tool}: `;
  const paused = verdict.decision === "pause" ? ` Approval: ${verdict.approval_url}` : "";
  const id = verdict.decision_id === undefined ? "" : `, decision ${verdict.decision_id}`;
  return `${about}${verdict.reason}${paused} (${verdict.decision}, ${verdict.reason_code}${id})`;
}

/** The parts of a request other than its body. */
export interface HookContext {
  readonly headers: DistinctHeaders;
  /** Identity that the configuration fixes for this process. */
  readonly fixed: Identity;
}

/** Reader and writer of one kind of webhook. */
export interface Dialect {
  readonly parse: (body: JsonObject, context: HookContext) => Result<GuardrailRequest>;
  /** The answer that blocks. It never fails, because every error ends here. */
  readonly block: (block: Block) => JsonObject;
}
