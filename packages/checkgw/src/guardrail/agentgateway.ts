import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import type { ModelCall } from "@svc/tool-calls/model-call";
import { openaiCalls } from "@svc/tool-calls/openai-calls";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import {
  type Block,
  blockText,
  type Dialect,
  type GuardrailRequest,
  type HookContext,
} from "./guardrail-request.ts";
import { questionsOf } from "./judged-document.ts";
import { readCaller } from "./read-caller.ts";
import { allTextsOfChoices, allTextsOfMessages } from "./text-leaves.ts";

/** Status that a client of agentgateway gets for a blocked message. */
const REJECTED_STATUS = 403;

/** agentgateway's webhook before the model. */
export const agentgatewayRequest: Dialect = { parse: parsePrompt, block };

/** agentgateway's webhook after the model. */
export const agentgatewayResponse: Dialect = { parse: parseAnswer, block };

function parsePrompt(body: JsonObject, context: HookContext): Result<GuardrailRequest> {
  const root = documentOf(body);
  if (!isJsonObject(root)) return malformed("body", "an object with messages", "another value");
  const texts = allTextsOfMessages(root["messages"], ["messages"]);
  if (!texts.ok) return texts;
  return requestOf(context, { root, texts: texts.value, calls: [] }, "llm.request");
}

function parseAnswer(body: JsonObject, context: HookContext): Result<GuardrailRequest> {
  const root = documentOf(body);
  if (!isJsonObject(root)) return malformed("body", "an object with choices", "another value");
  const calls = openaiCalls(root);
  if (!calls.ok) return calls;
  const texts = allTextsOfChoices(root);
  if (!texts.ok) return texts;
  // An answer to agentgateway holds only role and content, so a rewritten call would be lost.
  const fixed = calls.value.map((call): ModelCall => ({ ...call, form: "none" }));
  return requestOf(context, { root, texts: texts.value, calls: fixed }, "llm.response");
}

/** Later versions can send the provider's messages unchanged, without an envelope. */
function documentOf(body: JsonObject): JsonValue | undefined {
  return Object.hasOwn(body, "body") ? body["body"] : body;
}

function requestOf(
  context: HookContext,
  document: Omit<Parameters<typeof questionsOf>[0], "model">,
  tool: "llm.request" | "llm.response",
): Result<GuardrailRequest> {
  const caller = readCaller(context, { identity: null, sessionId: undefined });
  if (!caller.ok) return caller;
  const { questions, edit } = questionsOf({ ...document, model: document.root["model"] }, tool);
  return ok({
    caller: caller.value,
    questions,
    enforced: true,
    pass: (allowed) => renderPass(edit(allowed)),
  });
}

function renderPass(edited: Result<JsonValue | null>): Result<JsonObject> {
  if (!edited.ok) return edited;
  if (edited.value === null) return ok({ action: { reason: "allowed" } });
  return ok({ action: { body: edited.value, reason: "rewritten by policy" } });
}

/**
 * agentgateway distinguishes the three actions only by their members. It would read a rejection as a pass
 * unless its body is a text and its status a number.
 */
function block(why: Block): JsonObject {
  const { reason } = why.verdict;
  return { action: { body: blockText(why), status_code: REJECTED_STATUS, reason } };
}
