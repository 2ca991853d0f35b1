import { whileRunning } from "../kills/running-calls.ts";
import { callerScope } from "../kills/scope.ts";
import type { Judging, McpProxyParts, Sending } from "../mcp-proxy-parts.ts";
import type { Memory } from "../memory/memory.ts";
import { relayAnswer } from "../relay/relay-answer.ts";
import type { Reporting } from "../reporting.ts";
import type { ServerAnswer } from "../upstream/server-answer.ts";
import { answerHook } from "./answer-hooks.ts";
import { opensUrls } from "./approval-question.ts";
import { type Route, routeRequest } from "./route-request.ts";
import { sendMessage } from "./send-message.ts";
import type { SentRequest } from "./sent-message.ts";
import { serveCall } from "./serve-call.ts";

/** Serves a request: the proxy answers it itself, has it judged, or passes it on. */
export async function serveRequest(sent: SentRequest, parts: McpProxyParts): Promise<void> {
  const route = routeRequest(sent, parts);
  switch (route.kind) {
    case "answered":
      return sendMessage(sent.response, route.document, route.status);
    case "judged":
      return serveCall({ ...sent, ...route }, parts);
    case "passed":
      return passRequest(sent, parts, route);
  }
}

/** Passes a request on as it came, byte for byte. */
async function passRequest(
  sent: SentRequest,
  parts: Pick<Judging, "running"> & Memory & Pick<Sending, "server"> & Reporting,
  { scope, call }: Extract<Route, { readonly kind: "passed" }>,
): Promise<void> {
  const { rpc: request, caller, bytes: body, response } = sent;
  const onAnswer = answerHook(request, callerScope(caller), parts);
  const running = parts.running.start({ scope });
  await whileRunning(running, response, async () => {
    const timeoutMs = parts.settings.upstreamTimeoutMs;
    const answer = await parts.server.send(sent, { running, body, timeoutMs });
    if (answer.kind === "answer" && request.method === "initialize")
      learnSession(sent, parts, answer.incoming);
    await relayAnswer({ request, caller, response, running, onAnswer, call }, parts, answer);
  });
}

/** Remembers to whom the server gave a session, and whether that client can send its user to an address. */
function learnSession(
  { caller, rpc }: SentRequest,
  { sessions }: Pick<Memory, "sessions">,
  incoming: ServerAnswer,
): void {
  const session = incoming.header("mcp-session-id");
  if (session === null || incoming.statusCode !== 200) return;
  sessions.began(session, { agentId: caller.agentId, opensUrls: opensUrls(rpc.params["capabilities"]) });
}
