/** The supported webhook dialects. */
export const DIALECTS = ["portkey", "litellm", "agentgateway_request", "agentgateway_response"] as const;
export type DialectName = (typeof DIALECTS)[number];

/** Where a webhook of each dialect reads the session of a call. */
export const SESSION_HINTS: { readonly [name in DialectName]: string } = {
  portkey: "session_id in the metadata of the request, or the header X-Svc-Session-Id on the hook",
  litellm: "the header X-Svc-Session-Id on the request or on the hook, or a trace id of LiteLLM",
  agentgateway_request: "the header X-Svc-Session-Id on the hook",
  agentgateway_response: "the header X-Svc-Session-Id on the hook",
};

/** Exact paths, without those below them. agentgateway calls the root of its target. */
const PATHS: ReadonlyMap<string, DialectName> = new Map([
  ["/guardrail", "portkey"],
  ["/guardrail/portkey", "portkey"],
  ["/beta/litellm_basic_guardrail_api", "litellm"],
  ["/guardrail/agentgateway/request", "agentgateway_request"],
  ["/guardrail/agentgateway/response", "agentgateway_response"],
  ["/request", "agentgateway_request"],
  ["/response", "agentgateway_response"],
]);

/** The dialect of a path; null for any other path. */
export function dialectOf(path: string): DialectName | null {
  return PATHS.get(path) ?? null;
}
