import { adapterEnvironment } from "@svc/decision-client/adapter-environment";
import type { EnvironmentTable } from "@svc/process/environment-table";
import { parseBoolean, parseHttpUrl, parseOneOf } from "@svc/process/parsers";

const HEADER_NAME = /^[a-z0-9-]{1,64}$/;

/** Every variable of the function. It has no key, because svc-checkgw holds the key. */
export const agentcoreEnvironment = {
  SVC_AGENTCORE_CHECKGW_URL: {
    parse: parseCheckgw,
    fallback: null,
    defaultText: "none: required",
    meaning: "base address of svc-checkgw, whose /verdict is asked",
  },
  SVC_AGENTCORE_AGENT_HEADER: {
    parse: parseHeaderName,
    fallback: null,
    defaultText: "none",
    meaning: "header that names the agent, when the gateway passes headers and its callers cannot forge it",
  },
  SVC_AGENTCORE_TOOL_NAMES: {
    parse: parseOneOf(["dotted", "as_given"]),
    fallback: "dotted" as const,
    defaultText: "dotted",
    meaning: "dotted judges target___tool as target.tool, as_given judges names as they come",
  },
  SVC_AGENTCORE_STRICT: {
    parse: parseBoolean,
    fallback: false,
    defaultText: "false",
    meaning: "also judge the other methods that make a target work, as tools such as mcp.resources.read",
  },
  SVC_DECISION_TIMEOUT_MS: adapterEnvironment.SVC_DECISION_TIMEOUT_MS,
  SVC_AGENT_ID: adapterEnvironment.SVC_AGENT_ID,
  SVC_NAMESPACE: adapterEnvironment.SVC_NAMESPACE,
} satisfies EnvironmentTable;

function parseCheckgw(text: string): URL | null {
  return parseHttpUrl(text);
}

function parseHeaderName(text: string): string | null {
  const name = text.toLowerCase();
  if (!HEADER_NAME.test(name)) throw new Error("the name of one header: letters, digits and -");
  return name;
}
