import type { JsonObject } from "@svc/text/json-value";

/** The namespace of a call that names none. */
export const DEFAULT_NAMESPACE = "default";

/** The organization of a single-organization installation. */
export const DEFAULT_ORG = "default";

/** One intended tool call, parsed and defaulted. Body of `POST /api/v1/gateway/execute`. */
export interface ExecuteRequest {
  readonly agent_id: string;
  /** Null when the caller named none; policies with session ceilings then deny. */
  readonly session_id: string | null;
  readonly tool: string;
  readonly args: JsonObject;
  /** Null when the caller named none: a registered agent's own namespace, else DEFAULT_NAMESPACE. */
  readonly namespace: string | null;
  /** Micro-USD, or null when the caller named none. */
  readonly cost_micro_usd: number | null;
}
