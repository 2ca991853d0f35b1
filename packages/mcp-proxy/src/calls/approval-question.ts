import type { PauseVerdict } from "@svc/contract/verdict";
import { singleHeader } from "@svc/http-edge/single-header";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { isStateless, metaOf, type RpcRequest } from "@svc/tool-calls/mcp-message";
import { pausedText, refusalData, refusalMessage, rpcError } from "@svc/tool-calls/rpc-error";
import type { RawHeaders } from "../headers/caller.ts";
import type { McpProxySettings } from "../mcp-proxy-settings.ts";
import { approvalState } from "./approval-state.ts";

/** Requests that MCP allows a server to answer with a question. */
const ASKABLE: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

const CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/**
 * MCP's code, from revision 2025-11-25 on, for a request that waits until its user has visited an address.
 */
const URL_ELICITATION_REQUIRED = -32042;

/** The name of the proxy's question. It differs from the names of servers and of other proxies in a chain. */
export function approvalName({ mcpId }: Pick<McpProxySettings, "mcpId">): string {
  return mcpId === null ? "svc.approval" : `svc.approval.${mcpId}`;
}

export interface ApprovalQuestion {
  readonly request: RpcRequest;
  readonly pause: PauseVerdict;
  /** From approvalName. */
  readonly name: string;
  /** Whether the client of this session said in `initialize` that it can send its user to an address. */
  readonly sessionOpensUrls: boolean;
}

/**
 * Renders a paused call as a question that sends the client's user to the address of the approval. Null when
 * the client did not say that it can ask, or when MCP has no question for this method. The proxy does not
 * trust the answer: it judges the call again.
 */
export function approvalQuestion({
  request,
  pause,
  name,
  sessionOpensUrls,
}: ApprovalQuestion): JsonObject | null {
  const { approval_url: url } = pause;
  if (!ASKABLE.has(request.method) || !isWebAddress(url)) return null;
  if (!isStateless(request)) return sessionOpensUrls ? elicitationError(request, pause) : null;
  if (!opensUrls(metaOf(request.params)[CLIENT_CAPABILITIES_KEY])) return null;
  const params = { mode: "url", message: pausedText(pause), url };
  const state = approvalState(request.params, name);
  const result = {
    resultType: "input_required",
    inputRequests: { [name]: { method: "elicitation/create", params } },
    ...(state === null ? {} : { requestState: state }),
    _meta: { "svc/verdict": refusalData(pause) as JsonObject },
  };
  return { jsonrpc: "2.0", id: request.id, result };
}

/**
 * The first revision of MCP that can send users to an address. Revisions are dates, so they sort as strings.
 */
const FIRST_WITH_URLS = "2025-11-25";

/** Whether client and server agreed on such a revision. Each request repeats it in a header. */
export function agreedOnUrls(headers: RawHeaders): boolean {
  const revision = singleHeader(headers, "mcp-protocol-version");
  return revision.kind === "value" && revision.value >= FIRST_WITH_URLS;
}

/** Whether the capabilities of a client say that it can send its user to an address. */
export function opensUrls(capabilities: JsonValue | undefined): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities["elicitation"] : undefined;
  return isJsonObject(elicitation) && isJsonObject(elicitation["url"]);
}

function elicitationError({ id }: RpcRequest, pause: PauseVerdict): JsonObject {
  const { approval_url: url, decision_id: elicitationId } = pause;
  const elicitations = [{ mode: "url", elicitationId, message: pausedText(pause), url }];
  const data = { ...refusalData(pause), elicitations };
  return { ...rpcError(id, URL_ELICITATION_REQUIRED, refusalMessage(pause), data) } as unknown as JsonObject;
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "https:" || protocol === "http:";
}
