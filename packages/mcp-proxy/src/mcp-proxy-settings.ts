import type { AllowedHosts } from "@svc/http-edge/host-check";

/** The settings of the proxy, read once at start. */
export interface McpProxySettings {
  /** The MCP endpoint of the server. Requests go to its origin only. */
  readonly upstream: URL;
  /** Prefix of the names under which tools are judged; null for none. */
  readonly mcpId: string | null;
  /** Exact paths of the server that pass in addition to its endpoint and OAuth. */
  readonly passPaths: readonly string[];
  /** The identity that the configuration fixes. A null member is read from the operator's headers. */
  readonly identity: { readonly agentId: string | null; readonly namespace: string | null };
  /** Whether every method that makes the server work is judged, in addition to tools/call. */
  readonly strict: boolean;
  readonly denyAs: DenyForm;
  readonly metaSession: MetaSession;
  readonly sessionFallback: SessionFallback;
  readonly toolPinning: ToolPinning;
  readonly approval: ApprovalForm;
  /** Names that Host and Origin may carry. */
  readonly allowedHosts: AllowedHosts;
  /** Milliseconds for the server to answer or to begin a stream. A stream itself may take any time. */
  readonly upstreamTimeoutMs: number;
}

/** The form of the answer to a call that does not run: a JSON-RPC error, or a failed tool result. */
export type DenyForm = "error" | "tool_result";

/**
 * What happens to a call whose `_meta` names a session that no header names: it is judged in it, or denied.
 */
export type MetaSession = "accept" | "refuse";

/** The session of a client that names none: no session, or an implied one. */
export type SessionFallback = "off" | "client";

/**
 * What happens when the definition of a tool is not the first one: nothing, a report, or a deny of its calls.
 */
export type ToolPinning = "off" | "report" | "deny";

/** The answer to a paused call: an error, or a question to the user of a client that can ask. */
export type ApprovalForm = "off" | "elicit";
