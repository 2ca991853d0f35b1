import type { JsonObject } from "@svc/text/json-value";
import type { Reporter } from "../read/reporter.ts";
import { type ListNode, quoteShort, type SourceNode } from "../read/source-node.ts";
import { type CommandPattern, commandPattern, isOption } from "../shell/command-pattern.ts";
import { PROGRAM_OPTIONS } from "../shell/program-options.ts";
import { KEYWORDS } from "../shell/read-shell.ts";
import { SPECIAL_VARIABLE } from "../shell/wrapper-table.ts";
import { expectFilledList, expectText, refuse } from "./expect.ts";
import { filledListSchema, LIST_REFERENCE, valuesSchema } from "./json-schema.ts";

/**
 * Most commands of one condition, and words of one command: each is compared with each command of a call. The
 * command lines of people begin with some 900 different programs.
 */
const MAX_COMMANDS = 1_000;
const MAX_WORDS = 16;
/** Most variables that one condition names. */
const MAX_VARIABLES = 100;

const EXPECTED = "a list of commands, each a list of words, such as [[git, push], [rm, --recursive]]";
const FEWER_COMMANDS = "name a program alone, such as [git], in place of several of its subcommands";
const PLAIN_PROGRAM = /^[A-Za-z0-9_@+.,:/[][A-Za-z0-9_@+.,:/-]*$/;

const WORD_SCHEMA: JsonObject = { type: "string", pattern: "^[^*?$`]+$" };
const PROGRAM_SCHEMA: JsonObject = {
  type: "string",
  pattern: PLAIN_PROGRAM.source,
  not: { enum: [...KEYWORDS] },
};

/** Schema of `expectPatterns`. */
export const COMMANDS_SCHEMA: JsonObject = filledListSchema(
  {
    ...filledListSchema({ anyOf: [WORD_SCHEMA, LIST_REFERENCE] }, MAX_WORDS),
    prefixItems: [{ anyOf: [PROGRAM_SCHEMA, LIST_REFERENCE] }],
  },
  MAX_COMMANDS,
);

const VARIABLE = /^[A-Za-z_]\w*$/;

/** Schema of `expectVariables`. */
export const VARIABLES_SCHEMA: JsonObject = valuesSchema(
  { type: "string", pattern: VARIABLE.source, not: { pattern: SPECIAL_VARIABLE.source } },
  MAX_VARIABLES,
);

export function expectPatterns(node: SourceNode, reporter: Reporter): readonly CommandPattern[] | null {
  if (node.kind === "scalar" && typeof node.value === "string")
    return refuseShape(node, `[[${wordsIn(node.value)}]]`, reporter);
  const list = expectFilledList(
    node,
    { expected: EXPECTED, most: MAX_COMMANDS, fix: FEWER_COMMANDS },
    reporter,
  );
  if (list === null) return null;
  const flat = list.items.find((item) => item.kind === "scalar" && typeof item.value === "string");
  if (flat !== undefined) return refuseShape(flat, fixFlat(list), reporter);
  const patterns = list.items.flatMap((item) => expectPattern(item, reporter) ?? []);
  return patterns.length === list.items.length ? patterns : null;
}

function refuseShape(node: SourceNode, fix: string, reporter: Reporter): null {
  return refuse("policy/wrong-type", node, reporter, {
    message: "a command is a list of its words",
    expected: EXPECTED,
    fix: `write ${fix}`,
  });
}

function wordsIn(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(", ");
}

/** `[git, push]` is probably one command, and `["git push", ls]` two. */
function fixFlat({ items }: ListNode): string {
  const texts = items.flatMap((item) => (item.kind === "scalar" ? [String(item.value)] : []));
  const isOne = texts.every((text) => !/\s/.test(text));
  return isOne ? `[[${texts.join(", ")}]]` : `[${texts.map((text) => `[${wordsIn(text)}]`).join(", ")}]`;
}

function expectPattern(node: SourceNode, reporter: Reporter): CommandPattern | null {
  const expected = "the words of a command, such as [git, push]";
  const list = expectFilledList(
    node,
    { expected, most: MAX_WORDS, fix: "name the first words alone" },
    reporter,
  );
  if (list === null) return null;
  const words = list.items.flatMap((item) => expectText(item, "a word", reporter) ?? []);
  if (words.length < list.items.length) return null;
  for (const [at, item] of list.items.entries()) {
    const fault = wordFault(words, at);
    if (fault === null) continue;
    const { message, fix } = fault;
    return refuse("policy/invalid-value", item, reporter, { message, expected, fix });
  }
  return commandPattern(words);
}

interface WordFault {
  readonly message: string;
  readonly fix: string;
}

function wordFault(words: readonly string[], at: number): WordFault | null {
  const word = words[at] ?? "";
  if (at === 0) return programFault(word);
  if (word === "") return { message: "a word is empty", fix: "remove the empty word" };
  if (/[*?$`]/.test(word))
    return {
      message: `${quoteShort(word)} is compared as it is written: no character of it stands for others`,
      fix: "remove the word: a command may have further words after those that are named",
    };
  const before = PROGRAM_OPTIONS.get(words[0] ?? "")?.before ?? null;
  const isFirst = words.slice(1, at).every(isOption);
  if (isFirst && before?.valued.includes(word) === true)
    return {
      message: `${word} stands before the subcommand, where options are skipped`,
      fix: `remove ${word} and its value: the command is recognized with and without it`,
    };
  return null;
}

function programFault(program: string): WordFault | null {
  if (/\s/.test(program))
    return {
      message: "the name of a program has a space",
      fix: `write each word on its own: [${wordsIn(program)}]`,
    };
  if (!PLAIN_PROGRAM.test(program))
    return {
      message: `${quoteShort(program)} is not the name of a program`,
      fix: "begin with a program, such as git",
    };
  return KEYWORDS.has(program)
    ? { message: `${program} is a keyword of the shell`, fix: "name the program that runs" }
    : null;
}

/** Names of variables that commands may assign to. */
export function expectVariables(node: SourceNode, reporter: Reporter): readonly string[] | null {
  const list = expectFilledList(
    node,
    { expected: "a list of names of variables", most: MAX_VARIABLES, fix: "remove entries" },
    reporter,
  );
  if (list === null) return null;
  const names = list.items.flatMap((item) => expectVariable(item, reporter) ?? []);
  return names.length === list.items.length ? names : null;
}

function expectVariable(node: SourceNode, reporter: Reporter): string | null {
  const name = expectText(node, "the name of a variable", reporter);
  if (name === null || (VARIABLE.test(name) && !SPECIAL_VARIABLE.test(name))) return name;
  return refuse("policy/invalid-value", node, reporter, {
    message: SPECIAL_VARIABLE.test(name)
      ? `${name} changes which programs or code run`
      : `${quoteShort(name)} is not the name of a variable`,
    expected: "a name such as NODE_ENV that programs read as data",
    fix: "remove it: a command that assigns to it cannot be judged",
  });
}
