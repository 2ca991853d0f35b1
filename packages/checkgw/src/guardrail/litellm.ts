import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import type { CallIdentity, Identity } from "@svc/tool-calls/identity";
import { all, boundedCalls, type ModelCall, objectsIn } from "@svc/tool-calls/model-call";
import { openaiToolCall } from "@svc/tool-calls/openai-calls";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";
import {
  type Block,
  blockText,
  type Dialect,
  type GuardrailRequest,
  type HookContext,
} from "./guardrail-request.ts";
import { type JudgedDocument, questionsOf } from "./judged-document.ts";
import { STREAM_HOLDBACK_CHARS } from "./limits.ts";
import { readCaller } from "./read-caller.ts";
import { type TextSlot, textsOfList, textsOfMessages } from "./text-slot.ts";

/** LiteLLM's generic guardrail. Only the exact word BLOCKED blocks there: anything else passes. */
export const litellm: Dialect = { parse, block };

/** The value that LiteLLM sends for a client header that it is not configured to show. */
const HIDDEN_HEADER = "[present]";

function parse(body: JsonObject, context: HookContext): Result<GuardrailRequest> {
  const claims = readClaims(body);
  if (!claims.ok) return claims;
  const caller = readCaller(context, claims.value);
  if (!caller.ok) return caller;
  switch (body["input_type"]) {
    case "request":
      return parsePrompt(body, caller.value);
    case "response":
      return parseAnswer(body, caller.value);
    default:
      return malformed("input_type", "request or response", "another type");
  }
}

/**
 * The operator sets these parameters, but LiteLLM lets requests add to them. The headers of the hook have
 * precedence: requests cannot change them, and the parameters may only repeat them.
 */
function readClaims(body: JsonObject): Result<{ identity: Identity; sessionId: JsonValue | undefined }> {
  const parameters = body["additional_provider_specific_params"] ?? {};
  if (!isJsonObject(parameters))
    return malformed("additional_provider_specific_params", "an object", "another value");
  const agentId = parameters["agent_id"] ?? null;
  const namespace = parameters["namespace"] ?? null;
  if (agentId !== null && typeof agentId !== "string")
    return malformed("agent_id", "a text", "another value");
  if (namespace !== null && typeof namespace !== "string")
    return malformed("namespace", "a text", "another value");
  const shown = isJsonObject(body["request_headers"])
    ? body["request_headers"]["x-svc-session-id"]
    : undefined;
  const named = shown === HIDDEN_HEADER ? undefined : shown;
  return ok({ identity: { agentId, namespace }, sessionId: named ?? body["litellm_trace_id"] });
}

/**
 * The tool calls in a request come from earlier answers and were judged there, so they are not judged again.
 */
function parsePrompt(body: JsonObject, caller: CallIdentity): Result<GuardrailRequest> {
  const tools = objectsIn(body["tools"], "tools");
  if (!tools.ok) return tools;
  // LiteLLM does not show the calls of custom tools to its guardrails, so a client could run them unjudged.
  if (tools.value.some(({ type }) => type === "custom"))
    return malformed("tools", "tools whose calls LiteLLM shows to its guardrails", "a custom tool");
  const texts = readTexts(body, "user");
  if (!texts.ok) return texts;
  const rows = body["structured_messages"] ?? null;
  const structured = rows === null ? ok([]) : textsOfMessages(rows, ["structured_messages"]);
  if (!structured.ok) return structured;
  const document = { root: body, calls: [], model: body["model"] };
  const judged = rows === null ? texts.value : withRoles(texts.value, structured.value);
  return ok(requestOf(caller, { ...document, texts: judged }, "llm.request"));
}

/**
 * The flat list repeats the texts of the messages. Where it does, each is judged once and goes back by the
 * list; where it does not, both are judged and go back to where they came from.
 */
function withRoles(flat: readonly TextSlot[], structured: readonly TextSlot[]): readonly TextSlot[] {
  const isSame =
    flat.length === structured.length && flat.every(({ text }, index) => text === structured[index]?.text);
  if (!isSame) return [...structured, ...flat];
  return flat.map((slot, index) => ({ ...slot, role: structured[index]?.role ?? slot.role }));
}

function parseAnswer(body: JsonObject, caller: CallIdentity): Result<GuardrailRequest> {
  const texts = readTexts(body, "assistant");
  if (!texts.ok) return texts;
  const entries = objectsIn(body["tool_calls"], "tool_calls");
  if (!entries.ok) return entries;
  const calls = all(entries.value.map((call, index) => openaiToolCall(call, ["tool_calls", index])));
  const bounded = calls.ok ? boundedCalls(calls.value) : calls;
  if (!bounded.ok) return bounded;
  const document = {
    root: body,
    texts: texts.value,
    calls: bounded.value.map(fixedCall),
    model: body["model"],
  };
  return ok(requestOf(caller, document, "llm.response"));
}

/** LiteLLM does not accept a rewritten call of an answer, and would run the original. */
function fixedCall(call: ModelCall): ModelCall {
  return { ...call, form: "none" };
}

function readTexts(body: JsonObject, role: string): Result<readonly TextSlot[]> {
  const texts = body["texts"] ?? [];
  return Array.isArray(texts)
    ? textsOfList(texts, role, ["texts"])
    : malformed("texts", "a list", "something else");
}

function requestOf(
  caller: CallIdentity,
  document: JudgedDocument,
  tool: "llm.request" | "llm.response",
): GuardrailRequest {
  const { questions, edit } = questionsOf(document, tool);
  return { caller, questions, enforced: true, pass: (allowed) => renderPass(document.root, edit(allowed)) };
}

function renderPass(before: JsonObject, edited: Result<JsonValue | null>): Result<JsonObject> {
  if (!edited.ok) return edited;
  const held = heldBack(before);
  if (edited.value === null) return ok({ action: "NONE", ...held });
  if (!isJsonObject(edited.value))
    return denied("shaping_unsupported", "The answer has no place for the rewrite.");
  const changed: Record<string, JsonValue> = {};
  for (const field of ["texts", "structured_messages"] as const) {
    const value = edited.value[field];
    // LiteLLM applies every returned member, even an unchanged one. An unchanged list of texts would undo
    // the rewritten messages.
    if (value !== undefined && value !== before[field]) changed[field] = value;
  }
  return ok({ action: "GUARDRAIL_INTERVENED", ...changed, ...held });
}

/** How much of each text waits for the next question. It counts in streams alone, and these do not say so. */
function heldBack({ input_type, texts }: JsonObject): JsonObject {
  if (input_type !== "response" || !Array.isArray(texts) || texts.length === 0) return {};
  return { stream_holdback_chars: texts.map(() => STREAM_HOLDBACK_CHARS) };
}

function block(why: Block): JsonObject {
  return { action: "BLOCKED", blocked_reason: blockText(why) };
}
