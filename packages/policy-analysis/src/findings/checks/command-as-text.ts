import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredQuestion } from "../authored-rule.ts";
import type { FindingCheck, FindingContext, Suspicion } from "../finding.ts";
import { namesCommand, otherSpellings, withAnotherCommand } from "../hostile-commands.ts";
import { renderFlow } from "../render-flow.ts";
import { shortNameOf, suspectQuestion, textsOf, type WrittenText } from "../suspect-question.ts";
import { sampleOf } from "../witness/pattern-sample.ts";

const COMPARES_TEXT: ReadonlySet<unknown> = new Set([
  "==",
  "in",
  "contains",
  "starts_with",
  "matches",
  "matches_all",
]);

/** A command line that is judged as a text: a shell reads it in another way. */
export const commandAsText: FindingCheck = {
  code: "policy/command-as-text",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator } = authored;
      if (!COMPARES_TEXT.has(operator) || !namesCommand(shortNameOf(authored))) continue;
      const commands = commandsOf(authored);
      const [first] = textsOf(authored);
      if (first !== undefined && authored.role === "stops" && namesRedirections(authored)) {
        yield redirectionAsWord(context, authored, first);
        continue;
      }
      if (first === undefined || commands.length === 0) continue;
      const isGuard = authored.role === "stops";
      const instead = asCommands(authored, commands, isGuard ? "runs" : "runs_only");
      yield suspectQuestion(context, authored, {
        place: first.place,
        instead,
        shows: "passes",
        values: commands.flatMap((words) => (isGuard ? otherSpellings : withAnotherCommand)(words.join(" "))),
        words: {
          message: isGuard
            ? "a shell reads other spellings as the same command, and this condition compares the text"
            : "a text with a known command may run further ones, and this condition compares the text",
          expected: isGuard
            ? "runs, which reads every command of the line"
            : "runs_only, which reads every command",
          found: `operator: ${operator} for ${shortNameOf(authored)}`,
          fix: `write ${renderFlow(instead)}`,
        },
      });
    }
  },
};

function namesRedirections(authored: AuthoredQuestion): boolean {
  return textsOf(authored).every(({ text }) => /^\s*(?:>>?|<<?)\s+$|^\s+(?:>>?|<<?)\s*$/.test(text));
}

/** `" > "`: a shell needs no space around it. */
function redirectionAsWord(
  context: FindingContext,
  authored: AuthoredQuestion,
  { place, text }: WrittenText,
): Suspicion {
  const instead: JsonObject = { ...authored.written, operator: "matches", value: "[<>]" };
  return suspectQuestion(context, authored, {
    place,
    instead,
    shows: "passes",
    values: [`ls${text.trim()}x`, "ls>x", "sort<x"],
    words: {
      message: "a shell needs no space around a redirection, and this condition looks for one",
      expected: "the characters < and > anywhere in the line",
      found: `operator: ${authored.operator}, value: ${renderFlow(text)}`,
      fix: `write ${renderFlow(instead)}`,
    },
  });
}

/** The words of each command that the condition names. */
function commandsOf(authored: AuthoredQuestion): readonly (readonly string[])[] {
  const isPattern = authored.operator.startsWith("matches");
  return textsOf(authored).flatMap(({ text }) => {
    const samples = isPattern ? alternativesOf(text).flatMap((one) => sampleOf(one) ?? []) : [text];
    return samples.flatMap((sample) => {
      const words = sample.trim().split(/\s+/);
      return words.every((word) => /^[\w./:@=+-]+$/.test(word)) ? [words] : [];
    });
  });
}

/** `ls|pwd|cat` as three patterns. A group stays as it is: its first alternative is the example. */
function alternativesOf(pattern: string): readonly string[] {
  return /[()[\]\\]/.test(pattern) ? [pattern] : pattern.split("|");
}

function asCommands(
  { written }: AuthoredQuestion,
  commands: readonly (readonly string[])[],
  operator: "runs" | "runs_only",
): JsonObject {
  const { ignore_case: _case, ...rest } = written;
  return { ...rest, operator, value: commands };
}
