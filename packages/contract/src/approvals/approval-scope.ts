/** For which sessions an approval holds: that of the paused call, or every one of its agent. */
export const APPROVAL_SCOPES = ["session", "agent"] as const;
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number];

/** What an approval holds for, as its audit rows say it. */
export interface ApprovalHoldsFor {
  readonly scope: ApprovalScope;
  /** Arguments whose values a later call must share. Empty: one call. */
  readonly covers: readonly string[];
  readonly max_uses: number;
}
