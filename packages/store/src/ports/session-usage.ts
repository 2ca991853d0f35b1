/**
 * Whose usage a session ceiling counts. The agent belongs to the key: another agent cannot spend
 * a session's budget.
 */
export interface SessionKey {
  readonly org: string;
  readonly agentId: string;
  readonly sessionId: string;
}

/** What a session has used so far: calls answered allow, and their reserved or settled cost. */
export interface SessionUsage {
  readonly steps: number;
  readonly costMicroUsd: number;
}
