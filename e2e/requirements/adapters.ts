import { type Requirement, tested } from "./requirement.ts";

/** From the wire to the gateway and back. */
export const adapterRequirements: readonly Requirement[] = [
  tested("FAIL-01", "A transport error (name, TLS, connection) resolves to deny."),
  tested("FAIL-02", "No answer within SVC_DECISION_TIMEOUT_MS resolves to deny."),
  tested("FAIL-03", "Any status but 2xx resolves to deny; redirects are not followed."),
  tested("FAIL-04", "A 200 whose body is not a readable verdict resolves to deny."),
  tested(
    "FAIL-05",
    "A deny that the client itself produces is flagged fail_closed and blocks like a policy deny.",
  ),
  tested("FAIL-06", "The timeout covers connecting, headers and body together."),
  tested("FAIL-07", "The client asks once; it never repeats a call on its own."),
  tested("FAIL-08", "A verdict body over 1 MiB resolves to deny."),
  tested(
    "FAIL-09",
    "One agent's questions leave room for those of others, and are refused by name past a bound.",
  ),
  tested("FAIL-10", "An answer to another request is never taken for the verdict of this one."),

  tested(
    "ADP-01",
    "Adapters read SVC_GATEWAY_URL, SVC_API_KEY, SVC_ORG_ID, SVC_DECISION_TIMEOUT_MS with their defaults.",
  ),
  tested(
    "ADP-02",
    "SVC_AGENT_ID and SVC_NAMESPACE fix the identity; a request that names another is refused.",
  ),
  tested("ADP-03", "A call without an agent is denied with agent_unknown."),
  tested("ADP-04", "An adapter sends key and organization with every question."),
  tested("ADP-05", "The same call gets the same verdict through every adapter."),
  tested(
    "ADP-06",
    "No header that overrides the method or the path reaches a backend, in any spelling, on any route.",
  ),
  tested("ADP-07", "A governed request never changes the protocol of its connection: no tunnel is opened."),
  tested(
    "ADP-08",
    "A deny because the session is missing says where this adapter reads the session of a call.",
  ),
  tested(
    "ADP-09",
    "Every listener refuses header names that fold to framing or hop-by-hop headers (Transfer_Encoding).",
  ),
  tested("ADP-10", "No raw request gets another call past a shipped configuration, or runs one twice."),
  tested(
    "ADP-11",
    "One denied call denies the whole answer of a model at every adapter, even if another one is paused.",
  ),
  tested(
    "ADP-12",
    "Arguments too large for the gateway are refused at every adapter, and the reason names the limit.",
  ),
  tested("ADP-13", "No shipped configuration passes a header of a verdict on from a backend."),
  tested(
    "ADP-14",
    "No header name that folds to a framing header reaches a backend through a shipped configuration.",
  ),
  tested(
    "ADP-15",
    "A configuration that fixes the agent fixes its namespace at every adapter: by default, default.",
  ),

  tested(
    "CHK-01",
    "svc-checkgw listens on port 9004 and answers /check and what is below it, for any method.",
  ),
  tested("CHK-02", "An allow is 200; pause and deny are 403."),
  tested("CHK-03", "Tool and agent come from X-Svc-Tool and X-Svc-Agent-Id."),
  tested("CHK-04", "A rewrite is not applied: the answer is 200 with X-Svc-Shaping-Required: true."),
  tested("CHK-05", "With SVC_SHAPING_STRICT=true a rewrite is 403 with the same header."),
  tested("CHK-06", "POST /verdict answers 200 with decision, reason, shaped_args and args_constrained."),
  tested("CHK-07", "A repeated, aliased or malformed X-Svc-* header is 403."),
  tested("CHK-08", "X-Svc-Decision: allow is on every 200 of /check and on nothing else."),
  tested("CHK-09", "The Accept header chooses the body and never the status."),
  tested("CHK-10", "A repeated /check with the same X-Svc-Idempotency-Key counts once."),
  tested("CHK-11", "Every failure to get a verdict is 403 on /check."),
  tested("CHK-12", "A pause carries the approval URL in a header."),
  tested(
    "CHK-13",
    "The shipped configurations of nginx, Caddy, HAProxy and Traefik pass nothing but the adapter's allow.",
  ),
  tested(
    "CHK-14",
    "The shipped configurations ask the adapter by its own address, not by the client's Host.",
  ),
  tested(
    "CHK-15",
    "A refusal of /check carries its verdict in X-Svc-Verdict, as JSON that a proxy can send on unchanged.",
  ),
  tested(
    "CHK-16",
    "Behind the shipped configurations a client learns decision id, reason and rule of a refusal.",
  ),
  tested("CHK-20", "A request whose Host does not name the adapter is refused without asking the gateway."),
  tested("CHK-21", "/verdict and the webhooks refuse requests that a page in a browser sends."),
  tested("CHK-22", "/verdict and the webhooks refuse a query; /check takes the query of the client."),
  tested("CHK-23", "svc-checkgw counts requests, questions, refusals by cause and its own time."),

  tested("XPR-01", "svc-extproc speaks Envoy's external processing over gRPC on port 9002."),
  tested("XPR-02", "An allow lets the request continue."),
  tested("XPR-03", "A rewrite is a body mutation with a matching content-length."),
  tested("XPR-04", "A pause is HTTP 202 and a deny HTTP 403, both with a JSON body."),
  tested("XPR-05", "A stream never ends with status OK while a verdict is pending."),
  tested(
    "XPR-06",
    "The shipped Envoy configuration sets failure_mode_allow to false and refuses unjudged requests.",
  ),
  tested("XPR-07", "A route table says which paths carry which shape and where identity comes from."),
  tested("XPR-08", "What no route matches or no shape recognises is denied unless the table says otherwise."),
  tested("XPR-09", "Truncated or unbuffered bodies on governed routes are denied."),
  tested("XPR-10", "On SIGTERM pending calls are denied."),
  tested("XPR-11", "A streamed answer of a model is judged before the client sees an event of it."),
  tested("XPR-12", "A stream that clients could assemble into different calls is refused."),
  tested("XPR-13", "When a message is refused, its allowed calls are reported as not executed."),
  tested("XPR-14", "With SVC_EXTPROC_TLS_CLIENT_CA_FILE only a proxy with a certificate is served."),
  tested("XPR-30", "svc-extproc counts and logs each request that it refuses before asking the gateway."),

  tested(
    "MCP-01",
    "svc-mcp-proxy listens on port 9003 before SVC_MCP_UPSTREAM_URL, as the server SVC_MCP_ID.",
  ),
  tested("MCP-02", "tools/call is governed, with or without an id."),
  tested("MCP-03", "initialize, tools/list, ping and notifications pass through untouched."),
  tested("MCP-04", "An allow forwards the call."),
  tested("MCP-05", "A rewrite replaces params.arguments."),
  tested("MCP-06", "Pause, deny and every fault are JSON-RPC errors with the exact id."),
  tested("MCP-07", "Batches are refused."),
  tested("MCP-08", "Both protocol eras are served."),
  tested("MCP-09", "Proxies can be chained."),
  tested("MCP-10", "Bad Host or Origin headers are refused."),
  tested(
    "MCP-11",
    "No real client hangs or loses its session after a deny, a pause, a dead gateway or a dead server.",
  ),
  tested(
    "MCP-12",
    "A task is served only to the agent that started it, and inputs to it are judged as its call.",
  ),
  tested("MCP-13", "Requests and answers of a server pass only on streams where they belong."),
  tested("MCP-14", "A tool whose definition changed is reported, or denied with SVC_MCP_TOOL_PINNING=deny."),
  tested(
    "MCP-15",
    "With SVC_MCP_APPROVAL=elicit a capable client is asked for the approval; the retry is judged again.",
  ),
  tested("MCP-16", "A kill switch ends running calls, and their results cannot be fetched afterwards."),
  tested(
    "MCP-17",
    "svc-mcp-proxy passes its endpoint, OAuth and SVC_MCP_PASS_PATHS; all else is 404 and counted.",
  ),
  tested("MCP-18", "A body that is not an MCP message is refused at the endpoint, by every adapter of MCP."),
  tested(
    "MCP-19",
    "The answer of a client to a question of its server is judged as the call that asked, or as its own.",
  ),
  tested("MCP-20", "A kill switch also stops notifications, answers of clients and the end of a session."),
  tested("MCP-21", "A kill switch ends a running call at once, however many other switches are active."),
  tested(
    "MCP-24",
    "No mutated message reaches a lenient server as an unjudged call, and no override or upgrade with it.",
  ),
  tested(
    "MCP-23",
    "SVC_MCP_SESSION_FALLBACK=client gives a client without a session one, until it is idle for 30 minutes.",
  ),
  tested(
    "MCP-31",
    "svc-cli dev and npm start give an MCP client without a session one; elsewhere the deny says how.",
  ),
  tested(
    "MCP-25",
    "Under a kill switch nothing reaches a path of SVC_MCP_PASS_PATHS, MCP messages included.",
  ),
  tested(
    "MCP-26",
    "Where revisions count another history than before, the proxy reads all kill switches again.",
  ),
  tested("MCP-30", "A message that is written anew keeps its members in their order."),
  tested(
    "MCP-22",
    "GET gateway/kill-switches answers the changes from the gateway's own control state, or nothing.",
  ),
  tested(
    "MCP-27",
    "A running call that had no news of kill switches for a lease ends, and each cause of it is logged once.",
  ),
  tested(
    "MCP-28",
    "A proxy with a key of the role adapter catches up on switches that began and ended while it was away.",
  ),

  tested("GRD-01", "An allow answers verdict: true."),
  tested("GRD-02", "A redaction answers transformed messages."),
  tested("GRD-03", "Deny, pause and every error answer HTTP 200 with verdict: false, never a 5xx."),
  tested("GRD-04", "The answer comes before the caller's own timeout of about three seconds."),
  tested("GRD-05", "In a streaming post-call hook the check is audit only."),
  tested("GRD-06", "Every tool call of a model's answer is judged by itself."),
  tested(
    "GRD-07",
    "An answer with a call in an unusual place, where some client runs it, does not pass unjudged.",
  ),
  tested("GRD-09", "Prompts that take detectors longest do not delay other agents."),
  tested("GRD-08", "A call that a model writes into its text is judged as text of llm.response."),

  tested(
    "AGC-01",
    "The AgentCore interceptor asks POST /verdict about each tools/call; a___b is the tool a.b.",
  ),
  tested(
    "AGC-02",
    "Its target gets exactly the judged arguments, or the shaped ones when the policy rewrites.",
  ),
  tested(
    "AGC-03",
    "Pause, deny and every fault answer in place of the target: a JSON-RPC error with the exact id.",
  ),
  tested(
    "AGC-04",
    "Without an allow only messages of a closed list reach a target, none of which runs a tool.",
  ),
  tested("AGC-05", "An event of another version, or whose raw and parsed bodies differ, is refused."),
];
