/** For which sessions an approval holds: that of the paused call, or every one of its agent. */
export const APPROVAL_SCOPES = ["session", "agent"] as const;
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number];
