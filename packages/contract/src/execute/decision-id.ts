import { isIdentifier } from "../fields/identifier.ts";

/**
 * A decision is named by the place of its audit row: `<log id>.<sequence number>`.
 * The id leads to the row without an index, and no id exists without a row.
 */
export interface DecisionPosition {
  /** An identifier. */
  readonly logId: string;
  readonly seq: number;
}

const DECISION_ID = /^(.+)\.(0|[1-9][0-9]{0,15})$/;

export function formatDecisionId(position: DecisionPosition): string {
  return `${position.logId}.${position.seq}`;
}

/** @returns null when the text cannot name a row. */
export function parseDecisionId(text: string): DecisionPosition | null {
  const match = DECISION_ID.exec(text);
  const logId = match?.[1];
  const seq = Number(match?.[2]);
  if (logId === undefined || !isIdentifier(logId) || !Number.isSafeInteger(seq)) return null;
  return { logId, seq };
}
