import type { JsonValue } from "@svc/text/json-value";
import type { ValueReading } from "../operators/value-reading.ts";
import { wordsOf } from "./command-pattern.ts";
import { commonName } from "./common-name.ts";
import { AWKS } from "./is-plain-awk.ts";
import { type CommandTest, doubtOf } from "./judge-commands.ts";
import {
  type CommandReading,
  type NamedCommand,
  readArgumentList,
  readCommandText,
} from "./named-commands.ts";

/** Null for a value that holds no commands. What `runs_only` does not judge. */
export function describeCommands(value: JsonValue, test: CommandTest): ValueReading | null {
  const reading = readingOf(value);
  if (reading === null) return null;
  return { read: reading.commands.map(wordsOf), doubt: doubtOf(reading, test) };
}

/** The same for `runs`, which does not judge programs that may run others either. */
export function describeSomeCommands(value: JsonValue, test: CommandTest): ValueReading | null {
  const reading = readingOf(value);
  if (reading === null) return null;
  const starter = reading.commands.find(({ startsOthers }) => startsOthers) ?? null;
  return {
    read: reading.commands.map(wordsOf),
    doubt: doubtOf(reading, test) ?? (starter === null ? null : describeStarter(starter)),
  };
}

function describeStarter({ name }: NamedCommand): string {
  return AWKS.has(commonName(name))
    ? "a program of awk that may run others (it can be judged without system, getline, @, | and >)"
    : "a program that may run others, as ssh and python -c do";
}

function readingOf(value: JsonValue): CommandReading | null {
  if (typeof value === "string") return readCommandText(value);
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const texts = items.filter((item) => typeof item === "string");
  return texts.length === 0 || texts.length < items.length ? null : readArgumentList(texts);
}
