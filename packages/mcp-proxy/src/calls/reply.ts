import type { ExecuteRequest } from "@svc/contract/execute-request";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { confusableWith } from "@svc/tool-calls/confusables";
import { pseudoTool } from "@svc/tool-calls/mcp-methods";
import { readSessionId } from "@svc/tool-calls/mcp-session";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";
import type { Caller } from "../headers/caller.ts";
import type { McpProxySettings } from "../mcp-proxy-settings.ts";
import type { Question } from "../memory/open-questions.ts";
import { executeRequest } from "./read-governed-call.ts";

/** The argument that holds the inputs to a call, as in the retried calls of revision 2026-07-28. */
const INPUTS = "inputResponses";

/** Questions of servers, and the name of their answer among the inputs to a call. */
const INPUT_NAMES: ReadonlyMap<string, string> = new Map([
  ["elicitation/create", "elicitation"],
  ["sampling/createMessage", "sampling"],
  ["roots/list", "roots"],
]);

/** The method of a question for metrics, from a closed list. */
export function questionLabel({ method }: Question): string {
  return INPUT_NAMES.has(method) ? method : "other";
}

/**
 * Whether an answer passes without a verdict. Many servers ask for the client's folders when a session
 * begins. That answer feeds no call, unless a call asked for it.
 */
export function passesUnjudged(question: Question, { strict }: Pick<McpProxySettings, "strict">): boolean {
  return question.method === "roots/list" && question.call === null && !strict;
}

/** The answer to a ping as the server gets it: empty, so that a client can send nothing with it. */
export function barePing(document: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id: document["id"] ?? null, result: {} };
}

/**
 * The call to judge a client's answer as: the call that asked, with the same tool, session and arguments, and
 * the answer as the argument `inputResponses.elicitation` (or `sampling`, `roots`, `other`). If the call is
 * unknown, the answer is judged as a tool of its own, such as `mcp.elicitation.create`.
 */
export function readReply(
  question: Question,
  document: JsonObject,
  caller: Caller,
  { mcpId }: Pick<McpProxySettings, "mcpId">,
): Result<ExecuteRequest> {
  const inputs = { [nameOf(question)]: answerIn(document) };
  const { call, method } = question;
  if (call === null || call.scope.tool === null) {
    const session = readSessionId(caller, {});
    if (!session.ok) return session;
    const { agentId, namespace } = caller;
    const own = pseudoTool(method);
    const tool = mcpId === null ? own : `${mcpId}.${own}`;
    return executeRequest({ agentId, namespace, sessionId: session.value, tool, args: { [INPUTS]: inputs } });
  }
  const { agentId, namespace, sessionId, tool } = call.scope;
  if (Object.hasOwn(call.args, INPUTS) || confusableWith(Object.keys(call.args), [INPUTS]) !== null)
    return malformed("params.arguments", `no argument like ${INPUTS} in a call that asks its client`);
  return executeRequest({ agentId, namespace, sessionId, tool, args: { ...call.args, [INPUTS]: inputs } });
}

/**
 * The answer as the policy rewrote it. Rewrites of the call's own arguments are ignored: the
 * call runs already.
 */
export function withReply(question: Question, document: JsonObject, shaped: JsonObject): Result<JsonObject> {
  const inputs = Object.hasOwn(shaped, INPUTS) ? shaped[INPUTS] : undefined;
  const name = nameOf(question);
  const answer = isJsonObject(inputs) && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (!Object.hasOwn(document, "result")) {
    const error = isJsonObject(answer) ? answer["error"] : undefined;
    return isJsonObject(error) ? ok({ ...document, error }) : NOT_SHAPED;
  }
  return isJsonObject(answer) ? ok({ ...document, result: answer }) : NOT_SHAPED;
}

const NOT_SHAPED = denied("shaping_unsupported", "The policy removed the client's answer from the call.");

function nameOf({ method }: Question): string {
  return INPUT_NAMES.get(method) ?? "other";
}

function answerIn(document: JsonObject): JsonValue {
  if (Object.hasOwn(document, "result")) return document["result"] ?? null;
  return { error: document["error"] ?? null };
}
