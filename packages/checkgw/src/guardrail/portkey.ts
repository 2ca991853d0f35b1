import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { anthropicCalls } from "@svc/tool-calls/anthropic-calls";
import type { AllowedCall } from "@svc/tool-calls/ask-each";
import { checkMembers, type KnownMembers } from "@svc/tool-calls/check-members";
import type { ModelCall } from "@svc/tool-calls/model-call";
import { openaiCalls } from "@svc/tool-calls/openai-calls";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";
import type { Block, Dialect, GuardrailRequest, HookContext } from "./guardrail-request.ts";
import { type JudgedDocument, questionsOf } from "./judged-document.ts";
import { readCaller } from "./read-caller.ts";
import {
  allTextsOfBlocks,
  allTextsOfChoices,
  allTextsOfContent,
  allTextsOfMessages,
  textsWithin,
} from "./text-leaves.ts";
import { flatten, type TextSlot, textsOfList } from "./text-slot.ts";

/** Portkey's webhook guardrail, before and after the model. */
export const portkey: Dialect = { parse, block };

const REQUEST_TYPES = ["chatComplete", "complete", "embed", "messages"] as const;
/** Embeddings hold no calls. An answer with further members is not one of embeddings. */
const EMBEDDINGS: KnownMembers = {
  where: "answer",
  known: ["data"],
  foreign: [
    "choices",
    "output",
    "candidates",
    "content",
    "content_blocks",
    "message",
    "tool_calls",
    "function_call",
    "delta",
  ],
};

type RequestType = (typeof REQUEST_TYPES)[number];

function parse(body: JsonObject, context: HookContext): Result<GuardrailRequest> {
  const { eventType, metadata } = body;
  // The client sends the metadata in a header, so no identity is read from it.
  const claims = { identity: null, sessionId: isJsonObject(metadata) ? metadata["session_id"] : undefined };
  const caller = readCaller(context, claims);
  if (!caller.ok) return caller;
  const requestType = REQUEST_TYPES.find((known) => known === body["requestType"]);
  if (requestType === undefined) return malformed("requestType", REQUEST_TYPES.join(", "), "another type");
  const request = jsonOf(body["request"]);
  const response = jsonOf(body["response"]);
  if (eventType === "beforeRequestHook") {
    if (!isJsonObject(request)) return malformed("request.json", "an object", "another value");
    const document = readPrompt(request, requestType, isStreamed(body["request"], request));
    return document.ok ? ok(requestOf(caller.value, document.value, "request")) : document;
  }
  if (eventType !== "afterRequestHook") return malformed("eventType", "a known hook", "another hook");
  if (response === null) return ok(streamedRequest(caller.value, request));
  if (!isJsonObject(response)) return malformed("response.json", "an object", "another value");
  const document = readAnswer(response, requestType);
  return document.ok ? ok(requestOf(caller.value, document.value, "response")) : document;
}

function jsonOf(side: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(side) ? side["json"] : undefined;
}

function requestOf(
  caller: GuardrailRequest["caller"],
  document: JudgedDocument,
  side: "request" | "response",
): GuardrailRequest {
  const { questions, edit } = questionsOf(document, `llm.${side}`);
  return {
    caller,
    questions,
    enforced: true,
    pass: (allowed) => {
      const edited = edit(allowed);
      if (!edited.ok) return edited;
      // Portkey takes over only the side of this hook, and only as a whole.
      const transformed =
        edited.value === null ? {} : { transformedData: { [side]: { json: edited.value } } };
      return ok({ verdict: true, data: allowedData(allowed, true), ...transformed });
    },
  };
}

/** The client already has the stream, and Portkey does not send its content to the hook. */
function streamedRequest(
  caller: GuardrailRequest["caller"],
  request: JsonValue | undefined,
): GuardrailRequest {
  const model = isJsonObject(request) ? request["model"] : undefined;
  const { questions } = questionsOf({ root: {}, texts: [], calls: [], model }, "llm.response");
  return {
    caller,
    questions,
    enforced: false,
    pass: (allowed) =>
      allowed.some(({ shaped }) => shaped !== null)
        ? denied("shaping_unsupported", "The stream went on before the policy could rewrite it.")
        : ok({ verdict: true, data: allowedData(allowed, false) }),
  };
}

function allowedData(allowed: readonly AllowedCall[], enforced: boolean): JsonObject {
  const ids = allowed.map(({ decisionId }) => decisionId);
  return { decision: "allow", decision_id: ids.at(-1) ?? null, decision_ids: ids, enforced };
}

/** The client sees this in `hook_results`, so it holds only the verdict. */
function block({ verdict, tool, enforced }: Block): JsonObject {
  const { decision, reason, reason_code, rule_id = null, decision_id = null } = verdict;
  const approval_url = verdict.decision === "pause" ? verdict.approval_url : null;
  const fail_closed = verdict.decision === "deny" && verdict.fail_closed;
  return {
    // A strict boolean: Portkey takes any truthy value for a pass.
    verdict: false,
    data: { decision, reason, reason_code, rule_id, approval_url, decision_id, tool, fail_closed, enforced },
  };
}

/** Policies can match on it, because a streamed answer reaches the client unjudged. */
function isStreamed(side: JsonValue | undefined, { stream = null }: JsonObject): boolean {
  return (isJsonObject(side) && side["isStreamingRequest"] === true) || (stream !== null && stream !== false);
}

function readPrompt(root: JsonObject, type: RequestType, stream: boolean): Result<JudgedDocument> {
  const texts = textsOfPrompt(root, type);
  return texts.ok ? ok({ root, texts: texts.value, calls: [], model: root["model"], stream }) : texts;
}

function textsOfPrompt(root: JsonObject, type: RequestType): Result<readonly TextSlot[]> {
  return flatten([
    allTextsOfContent(root["system"], { role: "system", path: ["system"] }),
    textsOfSaid(root, type),
    ok(textsWithin(root["suffix"], { role: "user", path: ["suffix"] })),
    ok(textsWithin(root["prediction"], { role: "user", path: ["prediction"] })),
    ok(descriptionsWithin(root["response_format"])),
  ]);
}

function textsOfSaid(root: JsonObject, type: RequestType): Result<readonly TextSlot[]> {
  switch (type) {
    case "chatComplete":
    case "messages":
      return allTextsOfMessages(root["messages"], ["messages"]);
    case "complete":
      return textsOfList(root["prompt"], "user", ["prompt"]);
    case "embed":
      return textsOfList(root["input"], "user", ["input"]);
  }
}

/** The texts that the model reads in the schema for its answer. */
function descriptionsWithin(format: JsonValue | undefined): readonly TextSlot[] {
  const texts = textsWithin(format, { role: "user", path: ["response_format"] });
  return texts.filter(({ path }) => path.at(-1) === "description");
}

/** Members of an answer beside its messages in which clients look for text. */
const ANSWER_TEXTS = ["message", "output", "output_text", "text", "completion", "stop_details"] as const;

function readAnswer(root: JsonObject, type: RequestType): Result<JudgedDocument> {
  const calls = callsOf(root, type);
  if (!calls.ok) return calls;
  const texts = textsOfAnswer(root, type);
  return texts.ok ? ok({ root, texts: texts.value, calls: calls.value, model: root["model"] }) : texts;
}

function callsOf(root: JsonObject, type: RequestType): Result<readonly ModelCall[]> {
  switch (type) {
    case "chatComplete":
    case "complete":
      return openaiCalls(root);
    case "messages":
      return anthropicCalls(root);
    case "embed": {
      const checked = checkMembers(root, EMBEDDINGS);
      return checked.ok ? ok([]) : checked;
    }
  }
}

function textsOfAnswer(root: JsonObject, type: RequestType): Result<readonly TextSlot[]> {
  const beside = ok(
    ANSWER_TEXTS.flatMap((name) => textsWithin(root[name], { role: "assistant", path: [name] })),
  );
  switch (type) {
    case "chatComplete":
    case "complete":
      return flatten([
        allTextsOfChoices(root),
        beside,
        ok(textsWithin(root["content"], { role: "assistant", path: ["content"] })),
      ]);
    case "messages":
      return flatten([allTextsOfBlocks(root["content"]), beside]);
    case "embed":
      // Embeddings hold no text.
      return beside;
  }
}
