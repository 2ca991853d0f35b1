import type { JsonObject } from "@svc/text/json-value";
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
          shows: (authored.role === "stops") === isNegated(authored) ? "stopped" : "passes",
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

/** Folders in braces, or a mark for one character. */
const SHELL_GLOB = /^[^\s*]*(?:\{[^{}\s]+,[^{}\s]+\}|\?)[^\s*]*$/;

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
  if (operator === "path_within" && SHELL_GLOB.test(text)) return bracesMeant(authored, written);
  if (!GLOB.test(text)) return null;
  switch (operator) {
    case "==":
    case "in":
    case "!=":
    case "not_in": {
      // In an argument a star may be meant: `arn:aws:s3:::bucket/*` is the name of a resource.
      if (isNegated(authored) && authored.question.subject.kind !== "call") return null;
      const instead = { ...authored.written, operator: "matches_all", value: asPattern(text) };
      return isNegated(authored) ? { not: instead } : instead;
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

function isNegated({ operator }: AuthoredQuestion): boolean {
  return operator === "!=" || operator === "not_in";
}

/** `/srv/{a,b}` as two folders; another mark ends the folder before it. */
function bracesMeant(authored: AuthoredQuestion, { text }: WrittenText): JsonObject | null {
  const [, before = "", inner = "", after = ""] = /^(.*)\{([^{}]+)\}(.*)$/.exec(text) ?? [];
  const folders =
    inner === ""
      ? [text.slice(0, text.indexOf("?")).replace(/\/?[^/]*$/, "")]
      : inner.split(",").map((name) => before + name + after);
  return folders.includes("") ? null : { ...authored.written, value: folders };
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
  const plain = glob.replace(/\{([^{},]+),[^{}]*\}/, "$1/x").replace("?", "x/x");
  return ["x", "x/x"].map((part) => plain.replaceAll(/\*+/g, part));
}
