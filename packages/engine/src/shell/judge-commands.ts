import type { JsonValue } from "@svc/text/json-value";
import { type CommandPattern, fitCommand } from "./command-pattern.ts";
import type { Fit } from "./fit.ts";
import { mayName, mayRunWords } from "./may-run-words.ts";
import {
  type CommandReading,
  type NamedCommand,
  readArgumentList,
  readCommandText,
} from "./named-commands.ts";

/** What a `runs` or `runs_only` condition asks for. Plain data. */
export interface CommandTest {
  readonly patterns: readonly CommandPattern[];
  /** Whether commands may read and write files in place of their input and output. */
  readonly redirects: boolean;
  /** Variables that commands may assign to; `runs_only` alone asks. */
  readonly variables: readonly string[];
  /** Whether commands may have options that their pattern does not name. Only `runs_only` asks. */
  readonly otherOptions: "unless_named" | "none";
}

export type CommandTruth = "holds" | "fails" | "unsure";

/** Whether some command surely begins as one of the patterns says. */
export function judgeRuns(value: JsonValue, test: CommandTest): CommandTruth {
  if (typeof value === "string") return someRuns(value, readCommandText(value), test);
  const items = argumentsOf(value);
  if (items === null) return "unsure";
  const asList = someRuns(items.join(" "), readArgumentList(items), test);
  if (asList !== "fails") return asList;
  return otherReadings(items, (text) => someRuns(text, readCommandText(text), test));
}

/** Whether every command surely begins as one of the patterns says, and there is at least one. */
export function judgeRunsOnly(value: JsonValue, test: CommandTest): CommandTruth {
  if (typeof value === "string") return everyRuns(readCommandText(value), test);
  const items = argumentsOf(value);
  if (items === null) return "unsure";
  const asList = everyRuns(readArgumentList(items), test);
  const judgeText = (text: string): CommandTruth => everyRuns(readCommandText(text), test);
  if (asList === "holds") return judgeText(items.join(" ")) === "holds" ? "holds" : "unsure";
  return asList === "fails" ? otherReadings(items, judgeText) : "unsure";
}

function argumentsOf(value: JsonValue): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const items = value as readonly JsonValue[];
  const texts = items.filter((item) => typeof item === "string");
  return texts.length === items.length ? texts : null;
}

/** A word that is an argument as far as its form tells: nothing in it quotes, expands or separates. */
const ARGUMENT = /^[^\s'"\\$`;&|<>(){}]+$/;

/**
 * Many tools join a list, or run each of its members as a command of its own.
 * @returns `fails` only if no such reading could hold.
 */
function otherReadings(items: readonly string[], judge: (text: string) => CommandTruth): CommandTruth {
  const members = items.length === 1 ? items : [items.join(" "), items.join(""), ...items.slice(1)];
  const mayHold = members.some((text) => {
    const truth = judge(text);
    return truth === "holds" || (truth === "unsure" && !ARGUMENT.test(text));
  });
  return mayHold ? "unsure" : "fails";
}

function someRuns(text: string, reading: CommandReading, test: CommandTest): CommandTruth {
  const named =
    reading.assigned.length === 0 ? [] : test.patterns.filter((pattern) => mayName(text, pattern));
  let isUnsure = doubtOf(reading, test) !== null;
  for (const command of reading.commands) {
    for (const pattern of test.patterns) {
      const fit = fitCommand(command, pattern, "any");
      if (fit === "yes") return "holds";
      isUnsure ||= fit === "unsure";
    }
    isUnsure ||=
      command.startsOthers ||
      test.patterns.some((pattern) => mayRunWords(command, pattern, named.includes(pattern)));
  }
  return isUnsure ? "unsure" : "fails";
}

function everyRuns(reading: CommandReading, test: CommandTest): CommandTruth {
  if (doubtOf(reading, test) !== null) return "unsure";
  if (!reading.assigned.every((name) => test.variables.includes(name))) return "unsure";
  const commands = reading.commands.filter(({ isTransparent }) => !isTransparent);
  if (commands.length === 0) return "fails";
  let truth: CommandTruth = "holds";
  for (const command of commands) {
    const fits = test.patterns.map((pattern) => fitListed(command, pattern, test));
    if (fits.includes("yes")) continue;
    if (!fits.includes("unsure")) return "fails";
    truth = "unsure";
  }
  return truth;
}

/** A shell that is listed without a script would run whatever it reads. */
function fitListed(command: NamedCommand, pattern: CommandPattern, { otherOptions }: CommandTest): Fit {
  const fit = fitCommand(command, pattern, otherOptions);
  return fit === "yes" && command.readsScript && pattern.operands.length === 0 ? "unsure" : fit;
}

/** Why a reading is not sure; null when every command is named. */
export function doubtOf({ doubt, redirects }: CommandReading, test: CommandTest): string | null {
  if (doubt !== null) return doubt;
  return redirects && !test.redirects ? "a redirection" : null;
}
