import type { Block } from "./guardrail-request.ts";

/** A block as one sentence for people, where a dialect has room for nothing else. */
export function blockText({ verdict, tool }: Block): string {
  const about = tool === null ? "" : `${tool}: `;
  const approval = verdict.decision === "pause" ? ` Approve at ${verdict.approval_url}` : "";
  const id = verdict.decision_id === undefined ? "" : `, decision ${verdict.decision_id}`;
  return `${about}${verdict.reason}${approval} (${verdict.decision}, ${verdict.reason_code}${id})`;
}
