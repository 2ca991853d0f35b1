import type { JsonObject } from "@svc/text/json-value";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectText, refuse } from "./expect.ts";

/** Longest message of a rule, in UTF-16 units: it goes into every answer that the rule gives. */
const MAX_MESSAGE_LENGTH = 256;

/** One visible line. */
const LINE = /^(?=.*\S)\P{C}+$/u;

export const MESSAGE_SCHEMA: JsonObject = {
  type: "string",
  maxLength: MAX_MESSAGE_LENGTH,
  pattern: LINE.source,
};

/** Null: the rule has none, or a fault was reported. */
export function validateMessage(
  node: SourceNode | undefined,
  permits: boolean,
  reporter: Reporter,
): string | null {
  if (node === undefined) return null;
  const text = expectText(node, "a text", reporter);
  if (text === null) return null;
  if (permits) {
    return refuse("policy/conflicting-keys", node, reporter, {
      message: "message cannot be combined with action: allow, because an allow has no reason",
      expected: "a message on a rule that denies, pauses or rewrites",
      fix: "write it as a comment that begins with #, or move it to the rule that denies",
    });
  }
  if (text.length <= MAX_MESSAGE_LENGTH && LINE.test(text)) return text;
  return refuse("policy/invalid-text", node, reporter, {
    message: "the message must be one short line",
    expected: `1 to ${String(MAX_MESSAGE_LENGTH)} characters without line breaks and control characters`,
    fix: "write one sentence that says what to do instead",
  });
}
