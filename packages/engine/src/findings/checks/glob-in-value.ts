import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import type { AuthoredQuestion } from "../authored-rule.ts";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectQuestion, textsOf, type WrittenText, withText } from "../suspect-question.ts";

/** `value: secrets/*`: the star is a star, because only names of tools are globs. */
export const globInValue: FindingCheck = {
  code: "policy/glob-in-value",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      for (const written of textsOf(authored)) {
        const instead = globMeant(authored, written);
        if (instead === null) continue;
        const text = written.text.replace(/^\^|\$$/g, "");
        yield suspectQuestion(context, authored, {
          place: written.place,
          instead,
          shows: authored.role === "stops" ? "passes" : "stopped",
          values: examplesOf(text),
          words: {
            message: `the * in ${JSON.stringify(written.text)} does not stand for any characters here`,
            expected: "an operator that says which part of the text counts, or a regular expression",
            found: `operator: ${authored.operator}, with a glob as its value`,
            fix: `write ${renderFlow(instead)}`,
          },
        });
      }
    }
  },
};

/** Looks like a path, a host or a file name with a star in it. */
const GLOB = /^[^\s*]*(?:\*{1,2}[^\s*]+)+\*{0,2}$|^[^\s*]+\*{1,2}$/;

/** A pattern without anything that only regular expressions have: a glob, or a text. */
const GLOB_AS_PATTERN = /^\^?(?:[\w/@-]|(?<![/*])\.(?!\*)|(?<=[/@-])\*\.?)+\$?$/;

/** The condition that the glob was meant as; null: it is not one. */
function globMeant(authored: AuthoredQuestion, written: WrittenText): JsonObject | null {
  const { text } = written;
  const { operator } = authored;
  if (operator === "matches")
    return text.includes("*") && GLOB_AS_PATTERN.test(text)
      ? withText(authored, written, `^${asPattern(text.replace(/^\^|\$$/g, ""))}$`)
      : null;
  if (!GLOB.test(text)) return null;
  switch (operator) {
    case "==":
    case "in": {
      const instead = { ...authored.written, operator: "matches_all", value: asPattern(text) };
      return isJsonObject(instead) ? instead : null;
    }
    case "starts_with":
    case "ends_with":
    case "contains": {
      const part = longestPart(text);
      return part === "" ? null : withText(authored, written, part);
    }
    case "path_within": {
      const folder = text
        .slice(0, text.indexOf("*"))
        .replace(/[^/]*$/, "")
        .replace(/\/$/, "");
      return folder === "" ? null : withText(authored, written, folder);
    }
    default:
      return null;
  }
}

function asPattern(glob: string): string {
  return glob
    .split(/\*+/)
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
}

function longestPart(glob: string): string {
  return glob.split(/\*+/).toSorted((left, right) => right.length - left.length)[0] ?? "";
}

function examplesOf(glob: string): readonly string[] {
  return ["x", "x/x"].map((part) => glob.replaceAll(/\*+/g, part));
}
