import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { AllowedCall } from "@svc/tool-calls/ask-each";
import { type ModelCall, putArguments } from "@svc/tool-calls/model-call";
import { type JsonPath, replaceAt } from "@svc/tool-calls/replace-at";
import { denied, ok, type Result } from "@svc/tool-calls/result";
import { conversationArgs, rewrittenTexts } from "./conversation.ts";
import type { GuardrailQuestion } from "./guardrail-request.ts";
import type { TextSlot } from "./text-slot.ts";
import { withoutTokens } from "./without-tokens.ts";

/** The pseudo-tools under which texts are judged. */
export type TextTool = "llm.request" | "llm.response";

/** A prompt or an answer of a model, and its judged parts. */
export interface JudgedDocument {
  readonly root: JsonObject;
  readonly texts: readonly TextSlot[];
  readonly calls: readonly ModelCall[];
  readonly model: JsonValue | undefined;
  /** Whether the answer is to be streamed; absent where the caller does not say. */
  readonly stream?: boolean;
}

/** The questions about a document, and the function that applies their answers. */
export interface DocumentQuestions {
  readonly questions: readonly GuardrailQuestion[];
  /** The whole document with every rewrite applied; null when nothing is rewritten. */
  readonly edit: (allowed: readonly AllowedCall[]) => Result<JsonValue | null>;
}

/**
 * One question for the texts and one for each call. Texts are left out when there are none beside calls: an
 * answer that only calls tools says nothing.
 */
export function questionsOf(document: JudgedDocument, tool: TextTool): DocumentQuestions {
  const { root, texts, calls, model, stream } = document;
  const args = conversationArgs(texts, model, stream);
  const hasText = calls.length === 0 || texts.some(({ text }) => text !== "");
  const aboutTexts = hasText ? [{ tool, args }] : [];
  return {
    questions: [...aboutTexts, ...calls.map((call) => ({ tool: call.tool, args: call.args }))],
    edit: (allowed) => {
      const shaped = allowed.map((answer) => answer.shaped);
      if (shaped.every((one) => one === null)) return ok(null);
      const edited = putArguments(root, calls, shaped.slice(aboutTexts.length));
      if (!edited.ok) return edited;
      const shapedTexts = hasText ? (shaped[0] ?? null) : null;
      const rewritten = shapedTexts === null ? null : rewrittenTexts(texts, args, shapedTexts);
      if (rewritten !== null && !rewritten.ok) return rewritten;
      const put = putTexts(edited.value, texts, rewritten?.value ?? []);
      return put.ok ? ok(withoutTokens(root, put.value)) : put;
    },
  };
}

/** Replaces the texts of slots. A slot without a new text stays unchanged. */
function putTexts(root: JsonValue, slots: readonly TextSlot[], texts: readonly string[]): Result<JsonValue> {
  let edited = root;
  for (const [index, { text, path }] of slots.entries()) {
    const rewritten = texts[index] ?? text;
    if (rewritten === text) continue;
    if (isTranscript(path))
      return denied(
        "shaping_unsupported",
        "The audio of the answer still says what the policy rewrote in its transcript.",
      );
    edited = replaceAt(edited, path, rewritten);
  }
  return ok(edited);
}

function isTranscript(path: JsonPath): boolean {
  return path.at(-2) === "audio" && path.at(-1) === "transcript";
}
