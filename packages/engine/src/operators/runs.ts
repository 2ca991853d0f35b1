import type { JsonValue } from "@svc/text/json-value";
import type { Truth } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import type { CommandPattern } from "../shell/command-pattern.ts";
import { describeCommands, describeSomeCommands } from "../shell/describe-commands.ts";
import { type CommandTest, judgeRuns, judgeRunsOnly } from "../shell/judge-commands.ts";
import { expectName } from "../validate/expect.ts";
import {
  COMMANDS_SCHEMA,
  expectPatterns,
  expectVariables,
  VARIABLES_SCHEMA,
} from "../validate/expect-commands.ts";
import { namesSchema } from "../validate/explain-name.ts";
import { sortedList } from "./comparable-values.ts";
import { defineOperator, type Judge, type OperandSource } from "./operator.ts";

/** Work per character: to split a text into commands, as a list is read in three ways. */
const SHELL_WEIGHT = 24;

const REDIRECTS = { kind: "meaning of a redirection", names: ["allow"], synonyms: new Map() } as const;

const REDIRECT_SCHEMA = namesSchema(REDIRECTS);

const OPTIONS = { kind: "rule for options", names: ["listed"], synonyms: new Map() } as const;

const OPTIONS_SCHEMA = namesSchema(OPTIONS);

const common = {
  judges: ["args"],
  valueSchema: () => COMMANDS_SCHEMA,
  show: ({ patterns }: CommandTest): JsonValue => patterns.map(({ text }) => text),
  describe: (test: CommandTest, value: JsonValue) => describeCommands(value, test),
  comparable: sortedList,
} as const;

function validateTest({ value, members }: OperandSource, reporter: Reporter): CommandTest | null {
  const patterns = expectPatterns(value, reporter);
  const redirect = members.get("redirect");
  const isRedirectRead = redirect === undefined || expectName(redirect, REDIRECTS, reporter) !== null;
  const variables = variablesOf(members.get("variables"), reporter);
  const options = members.get("options");
  const areOptionsRead = options === undefined || expectName(options, OPTIONS, reporter) !== null;
  if (patterns === null || variables === null || !isRedirectRead || !areOptionsRead) return null;
  const otherOptions = options === undefined ? "unless_named" : "none";
  return { patterns, variables, redirects: redirect !== undefined, otherOptions };
}

function variablesOf(node: SourceNode | undefined, reporter: Reporter): readonly string[] | null {
  return node === undefined ? [] : expectVariables(node, reporter);
}

function compileWith(judge: (value: JsonValue, test: CommandTest) => Truth): (test: CommandTest) => Judge {
  return (test) => {
    const weight = SHELL_WEIGHT + wordsOf(test.patterns);
    return (value, work) => (work.spend(lengthOf(value), weight) ? judge(value, test) : "unread");
  };
}

function wordsOf(patterns: readonly CommandPattern[]): number {
  return patterns.reduce((words, { operands, options }) => words + 1 + operands.length + options.length, 0);
}

/** Characters of a text, or of the texts of a list and what would join them. */
function lengthOf(value: JsonValue): number {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 0;
  const items = value as readonly JsonValue[];
  return items.reduce<number>((length, item) => length + 1 + (typeof item === "string" ? item.length : 0), 0);
}

export const runs = defineOperator<CommandTest>({
  ...common,
  name: "runs",
  summary: "is a command line of which some command begins as one of these",
  describe: (test, value) => describeSomeCommands(value, test),
  keys: { redirect: REDIRECT_SCHEMA },
  validate: validateTest,
  compile: compileWith(judgeRuns),
});

export const runsOnly = defineOperator<CommandTest>({
  ...common,
  name: "runs_only",
  summary: "is a command line of which every command begins as one of these",
  keys: { redirect: REDIRECT_SCHEMA, variables: VARIABLES_SCHEMA, options: OPTIONS_SCHEMA },
  validate: validateTest,
  compile: compileWith(judgeRunsOnly),
});
