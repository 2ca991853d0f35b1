import { parseJson } from "@svc/text/parse-json";
import { isSeen } from "@svc/text/unseen";
import { MAX_MESSAGE_LENGTH, MAX_MESSAGES } from "./rego-limits.ts";
import type { RegoRule } from "./rego-module.ts";
import type { RegoResult } from "./rego-result.ts";

/**
 * The result in what the program answered. OPA knows nothing of messages, so the shape is checked here, at
 * every evaluation. What is not a set of messages is a failure, and so a deny.
 * @param rules that the module defines: each must have an answer, and no other may have one
 */
export function parseMessages(text: string, rules: readonly RegoRule[]): RegoResult {
  const answer = readAnswer(text);
  if (typeof answer !== "object" || answer === null) return wrongShape("the result is not an object");
  const names = Object.keys(answer);
  if (names.length !== rules.length) return wrongShape("the result has other rules than the module");
  const found = { deny: [] as readonly string[], require_approval: [] as readonly string[] };
  for (const rule of rules) {
    if (!Object.hasOwn(answer, rule)) return wrongShape(`the result says nothing of ${rule}`);
    const messages = messagesOf((answer as Record<string, unknown>)[rule]);
    if (messages === null) return wrongShape(`${rule} is not ${messagesText()}`);
    found[rule] = messages;
  }
  return { kind: "messages", deny: found.deny, requireApproval: found.require_approval };
}

/** Undefined: not JSON, or no set of messages, such as an object with a number beyond 2^53 - 1. */
function readAnswer(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Formats its number when asked: the first number in a language costs a thread 7 MiB and 13 ms. */
function messagesText(): string {
  const letters = MAX_MESSAGE_LENGTH.toLocaleString("en-US");
  return (
    `a set of at most ${String(MAX_MESSAGES)} messages, each a text of at most ` +
    `${letters} characters that is not blank`
  );
}

/** Sorted and distinct; null when the value is not a list of messages. */
function messagesOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length > MAX_MESSAGES) return null;
  return value.every(isMessage) ? [...new Set(value)].sort() : null;
}

function isMessage(value: unknown): value is string {
  return typeof value === "string" && isSeen(value) && value.length <= MAX_MESSAGE_LENGTH;
}

function wrongShape(message: string): RegoResult {
  return { kind: "failed", code: "rego_shape", message };
}
