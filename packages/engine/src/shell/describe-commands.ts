import type { JsonValue } from "@svc/contract/json-value";
import type { ValueReading } from "../operators/value-reading.ts";
import { wordsOf } from "./command-pattern.ts";
import { type CommandTest, doubtOf } from "./judge-commands.ts";
import { type CommandReading, readArgumentList, readCommandText } from "./named-commands.ts";

/** Null for a value that holds no commands. */
export function describeCommands(value: JsonValue, test: CommandTest): ValueReading | null {
  const reading = readingOf(value);
  if (reading === null) return null;
  return { read: reading.commands.map(wordsOf), doubt: doubtOf(reading, test) };
}

function readingOf(value: JsonValue): CommandReading | null {
  if (typeof value === "string") return readCommandText(value);
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const texts = items.filter((item) => typeof item === "string");
  return texts.length === 0 || texts.length < items.length ? null : readArgumentList(texts);
}
