import { isRetryable } from "@svc/contract/retryable";
import type { PauseVerdict, RefusalVerdict } from "@svc/contract/verdict";
import type { RpcId } from "./mcp-message.ts";

/** Our own error codes, outside the range that JSON-RPC and MCP reserve. */
export const DENIED = 403_001;
export const PAUSED = 202_001;
/** The adapter obtained no verdict or no answer. */
export const FAILED = 503_001;

/** Id null only when the id of the request could not be read. */
export interface RpcErrorDocument {
  readonly jsonrpc: "2.0";
  readonly id: RpcId | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: object };
}

export function rpcError(id: RpcId | null, code: number, message: string, data?: object): RpcErrorDocument {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** The error that an MCP client gets for a refused call, under the id of its request. */
export function refusalError(id: RpcId | null, refusal: RefusalVerdict): RpcErrorDocument {
  return rpcError(id, codeOf(refusal), refusalMessage(refusal), refusalData(refusal));
}

/** The message of the error. Many clients show only this text. */
export function refusalMessage(refusal: RefusalVerdict): string {
  if (refusal.decision !== "pause") return refusal.reason;
  const next = isHeld(refusal)
    ? `Repeat the same call later. When: ${refusal.approval_url}`
    : `Then repeat the same call. Approval: ${refusal.approval_url}`;
  return `${pausedText(refusal)} ${next}`;
}

/** The reason of a pause, and what the call waits for. */
export function pausedText(pause: Pick<PauseVerdict, "reason" | "reason_code">): string {
  const { reason } = pause;
  const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  const wait = isHeld(pause) ? "Nobody can approve it." : "The call is paused until it is approved.";
  return `${sentence} ${wait}`;
}

/** Whether the call waits for its agent to recover, and not for a person. */
function isHeld({ reason_code }: Pick<PauseVerdict, "reason_code">): boolean {
  return reason_code === "agent_suspended";
}

function codeOf(refusal: RefusalVerdict): number {
  if (refusal.decision === "pause") return PAUSED;
  return refusal.fail_closed ? FAILED : DENIED;
}

/** The structure behind the message, for clients that read it. */
export function refusalData(refusal: RefusalVerdict): object {
  const { decision, reason, reason_code, rule_id, decision_id } = refusal;
  return {
    decision,
    reason,
    reason_code,
    ...(rule_id === undefined ? {} : { rule_id }),
    ...(decision_id === undefined ? {} : { decision_id }),
    ...(decision === "pause"
      ? { approval_url: refusal.approval_url }
      : {
          fail_closed: refusal.fail_closed,
          retryable: refusal.retryable ?? isRetryable(reason_code),
          ...killSwitchOf(refusal),
        }),
  };
}

function killSwitchOf({ kill_switch_id }: Extract<RefusalVerdict, { decision: "deny" }>): object {
  return kill_switch_id === undefined ? {} : { kill_switch_id };
}
