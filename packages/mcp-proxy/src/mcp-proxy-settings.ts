import type { AllowedHosts } from "@svc/http-edge/host-check";
/** Everything the proxy is told once, at start. */
export interface McpProxySettings {
  /** The MCP endpoint of the server. Its origin is the only place that requests ever go. */
  readonly upstream: URL;
  /** Prefix of the names that tools are judged by; null: names as given. */
  readonly mcpId: string | null;
  /** Exact paths of the server that pass beside the endpoint and those of OAuth. */
  readonly passPaths: readonly string[];
  /** Identity that the configuration fixes; null members are left to operator-set headers. */
  readonly identity: { readonly agentId: string | null; readonly namespace: string | null };
  /** Govern every method that makes the server work, not tools/call alone. */
  readonly strict: boolean;
  readonly denyAs: DenyForm;
  readonly metaSession: MetaSession;
  readonly sessionFallback: SessionFallback;
  readonly toolPinning: ToolPinning;
  readonly approval: ApprovalForm;
  /** Names that Host and Origin may carry. */
  readonly allowedHosts: AllowedHosts;
  /** Milliseconds for the server to answer, or to begin a stream; a stream itself may take any time. */
  readonly upstreamTimeoutMs: number;
}

/** How a call that does not run is told: as an error of the protocol, or as a result that says so. */
export type DenyForm = "error" | "tool_result";

/** What a session means that a message names itself, when headers do not name the same: a name, or a deny. */
export type MetaSession = "accept" | "refuse";

/** The session of a client that names none: none, or one that is implied for it. */
export type SessionFallback = "off" | "client";

/** What a tool means whose definition is not the one that was seen first: nothing, a report, or a deny. */
export type ToolPinning = "off" | "report" | "deny";

/** How a paused call is told: as an error, or as a question to the user of a client that can ask. */
export type ApprovalForm = "off" | "elicit";
