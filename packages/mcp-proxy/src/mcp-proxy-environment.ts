import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import { TRUSTED_PROXIES_VARIABLE } from "@svc/http-edge/connections/trusted-proxies";
import { LOOPBACK_NAMES, parseHostNames } from "@svc/http-edge/host-check";
import { tlsVariables } from "@svc/http-edge/tls/tls-variables";
import type { EnvironmentTable } from "@svc/process/environment-table";
import { LOG_FORMAT_VARIABLE } from "@svc/process/log-format";
import { LOG_LEVEL_VARIABLE } from "@svc/process/log-level";
import {
  type ListenText,
  parseBoolean,
  parseHttpUrl,
  parseInteger,
  parseListen,
  parseOneOf,
  parseText,
} from "@svc/process/parsers";

/**
 * Milliseconds that a server may take to begin its answer. Python clients give up on a stream
 * after 5 minutes.
 */
const DEFAULT_UPSTREAM_TIMEOUT_MS = 300_000;
const MIN_UPSTREAM_TIMEOUT_MS = 100;
const MAX_UPSTREAM_TIMEOUT_MS = 3_600_000;

/** The variables of svc-mcp-proxy, in addition to those of every adapter. */
export const mcpProxyEnvironment = {
  SVC_MCP_LISTEN: {
    parse: parseListen,
    fallback: { host: "127.0.0.1", port: 9003 },
    defaultText: "127.0.0.1:9003",
    meaning: "address for MCP clients; without SVC_AGENT_ID every client that reaches it names the agent",
  },
  SVC_MCP_UPSTREAM_URL: {
    parse: parseUpstream,
    fallback: null,
    defaultText: "none: required",
    meaning: "address of the MCP server, as a client would use it",
  },
  SVC_MCP_ID: {
    parse: parseServerId,
    fallback: null,
    defaultText: "none",
    meaning: "name of the server; its tools are judged as <SVC_MCP_ID>.<tool>",
  },
  SVC_MCP_STRICT: {
    parse: parseBoolean,
    fallback: false,
    defaultText: "false",
    meaning: "judge the other methods that make the server work, as tools such as mcp.resources.read",
  },
  SVC_MCP_PASS_PATHS: {
    parse: parsePaths,
    fallback: [] as readonly string[],
    defaultText: "none",
    meaning: "exact paths of the server that pass beside its endpoint and OAuth; only messages are judged",
  },
  SVC_MCP_DENY_AS: {
    parse: parseOneOf(["error", "tool_result"]),
    fallback: "error" as const,
    defaultText: "error",
    meaning: "answer to a call that does not run: a JSON-RPC error, or a tool result, which models can read",
  },
  SVC_MCP_APPROVAL: {
    parse: parseOneOf(["off", "elicit"]),
    fallback: "off" as const,
    defaultText: "off",
    meaning: "elicit: ask capable clients to send their user to the approval page of a paused call",
  },
  SVC_MCP_META_SESSION: {
    parse: parseOneOf(["accept", "refuse"]),
    fallback: "accept" as const,
    defaultText: "accept",
    meaning: "refuse: deny a call whose _meta names a session that none of its headers names",
  },
  SVC_MCP_SESSION_FALLBACK: {
    parse: parseOneOf(["off", "client"]),
    fallback: "off" as const,
    defaultText: "off",
    meaning: "client: give a client without any session id a session by agent, address and user agent",
  },
  SVC_MCP_TOOL_PINNING: {
    parse: parseOneOf(["off", "report", "deny"]),
    fallback: "report" as const,
    defaultText: "report",
    meaning: "what happens when the definition of a tool differs from the first one",
  },
  SVC_MCP_TOOL_PINS_FILE: {
    parse: (text: string): string | null => parseText(text),
    fallback: null,
    defaultText: "none",
    meaning: "file that keeps the first definitions over restarts; without it every start forgets them",
  },
  SVC_MCP_ALLOWED_HOSTS: {
    parse: parseHostNames,
    fallback: LOOPBACK_NAMES,
    defaultText: LOOPBACK_NAMES.join(","),
    meaning:
      "names that Host and Origin may carry, beside its own host; one without a port is valid for every port",
  },
  SVC_MCP_UPSTREAM_TIMEOUT_MS: {
    parse: parseInteger(MIN_UPSTREAM_TIMEOUT_MS, MAX_UPSTREAM_TIMEOUT_MS),
    fallback: DEFAULT_UPSTREAM_TIMEOUT_MS,
    defaultText: String(DEFAULT_UPSTREAM_TIMEOUT_MS),
    meaning: "milliseconds for the server to answer, or to begin a stream",
  },
  SVC_MCP_METRICS_LISTEN: {
    parse: (text: string): ListenText | null => parseListen(text),
    fallback: null,
    defaultText: "none",
    meaning: "address of /metrics and /healthz over HTTP; without it they are not served",
  },
  ...tlsVariables("SVC_MCP_TLS", "an MCP client"),
  SVC_TRUSTED_PROXIES: TRUSTED_PROXIES_VARIABLE,
  SVC_LOG_LEVEL: LOG_LEVEL_VARIABLE,
  SVC_LOG_FORMAT: LOG_FORMAT_VARIABLE,
} satisfies EnvironmentTable;

function parseUpstream(text: string): URL | null {
  return parseHttpUrl(text);
}

/** Half of an identifier, so that the name of a tool fits after it. */
const MAX_SERVER_ID_LENGTH = 64;

function parseServerId(text: string): string | null {
  if (!isIdentifier(text) || text.length > MAX_SERVER_ID_LENGTH)
    throw new Error(`${IDENTIFIER_EXPECTATION}; at most ${String(MAX_SERVER_ID_LENGTH)}`);
  return text;
}

/** Paths, as count. A server that needs more belongs behind svc-extproc and its route table. */
const MAX_PASS_PATHS = 100;
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~!$&'()+:@=-]+)+\/?$/;

function parsePaths(text: string): readonly string[] {
  const paths = text.split(",").map((path) => path.trim());
  if (paths.length > MAX_PASS_PATHS || !paths.every((path) => PLAIN_PATH.test(path)))
    throw new Error(
      `at most ${String(MAX_PASS_PATHS)} exact paths such as /auth/callback, separated by commas, without ` +
        "query, wildcards and percent signs",
    );
  return paths;
}
