/** The end of a held call. The row that held it is its decision. */
export interface HeldCallRow {
  readonly v: 1;
  readonly kind: "held_call";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  /** The part of the server that ended it. */
  readonly principal: string;
  readonly action: "released" | "revoked" | "expired";
  readonly held_call_id: string;
  /** The decision that held it. */
  readonly decision_id: string;
  readonly namespace: string;
  readonly agent_id: string;
  readonly session_id: string | null;
  readonly tool: string;
  readonly reason: string;
}
