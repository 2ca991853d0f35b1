import type { Block } from "./guardrail-request.ts";

/** A block as one sentence for people, where a dialect has room for nothing else. */
export function blockText({ verdict, tool }: Block): string {
  const about = tool === null ? "" : `${tool}: `;
  const paused = verdict.decision === "pause" ? ` What can be done: ${verdict.approval_url}` : "";
  const id = verdict.decision_id === undefined ? "" : `, decision ${verdict.decision_id}`;
  return `${about}${verdict.reason}${paused} (${verdict.decision}, ${verdict.reason_code}${id})`;
}
