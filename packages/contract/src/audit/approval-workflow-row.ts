/** A change of who must approve. */
export interface ApprovalWorkflowRow {
  readonly v: 1;
  readonly kind: "approval_workflow";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  readonly principal: string;
  readonly action: "created" | "updated" | "removed";
  readonly workflow_id: string;
  readonly version: number;
  readonly required: number;
  readonly roles: readonly string[] | null;
  readonly keys: readonly string[] | null;
  /** Absent in rows from before there were groups. */
  readonly groups?: readonly string[] | null;
  readonly expires_in_seconds: number;
  /** Addresses of channels can hold secrets, so their kinds stand in for them. */
  readonly channel_kinds: readonly string[];
}
