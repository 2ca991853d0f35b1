/** How an allowed call ended; `not_executed` gives its step and its cost back. */
export type CallEnd = "failed" | "not_executed" | "succeeded";

/** Arguments of a call, by name. */
export type ToolArgs = Readonly<Record<string, unknown>>;

/** A call that may run now, with exactly these arguments. */
export interface AllowedToolCall {
  readonly kind: "allowed";
  readonly args: ToolArgs;
  /** Tells how the call ended. Only the first end counts. Never throws, and delays nothing. */
  readonly report: (end: CallEnd) => void;
}

/** A call that must not run. */
export interface DeniedToolCall {
  readonly kind: "denied";
  /** Written for the model: what was denied, why, and whether repeating it can help. Never empty. */
  readonly text: string;
}

/** What a person is shown who must approve a call. */
export interface PendingApproval {
  readonly kind: "approval_required";
  readonly tool: string;
  readonly reason: string;
  readonly approval_url: string;
  readonly approval_id: string | null;
  readonly decision_id: string;
}

/** A call that must not run until a person approved it at the gateway. */
export interface PausedToolCall {
  readonly kind: "paused";
  /** Written for the model, where the framework has no way to pause. */
  readonly text: string;
  readonly approval: PendingApproval;
}

/** Exactly one of three: everything that is not an allow is one of the other two. */
export type Judgement = AllowedToolCall | DeniedToolCall | PausedToolCall;
