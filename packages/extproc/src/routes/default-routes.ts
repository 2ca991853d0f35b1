import { compilePathTemplate } from "./path-template.ts";
import type { IdentitySources, RouteTable } from "./route-table.ts";

/**
 * Metadata first, because no client can set it. The shipped proxy configurations strip the
 * headers from clients.
 */
export const DEFAULT_IDENTITY: IdentitySources = {
  agent: [
    { kind: "metadata", name: "svc-agent-id" },
    { kind: "header", name: "x-svc-agent-id" },
  ],
  session: [
    { kind: "metadata", name: "svc-session-id" },
    { kind: "header", name: "x-svc-session-id" },
  ],
  namespace: [
    { kind: "metadata", name: "svc-namespace" },
    { kind: "header", name: "x-svc-namespace" },
  ],
};

/** Without a route table: every POST is MCP, and everything else is denied. */
export const DEFAULT_ROUTES: RouteTable = {
  routes: [
    {
      path: compilePathTemplate("/**"),
      methods: ["POST"],
      shape: { kind: "mcp", serverId: null, paramHeaders: new Map() },
      identity: DEFAULT_IDENTITY,
    },
  ],
  unmatched: "deny",
};
