import { styleText } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import { usesColour } from "./colour-choice.ts";
import type { LogFormat } from "./log-format.ts";
import { jsonText, printable } from "./printable.ts";

/** Longest value on a line for people, in characters. The lines in JSON hold all of it. */
const MAX_VALUE_LENGTH = 300;

const INFO = { name: "INFO", style: "green" } as const;

/** By the number in the line. */
const LEVELS = new Map<unknown, { readonly name: string; readonly style: Style }>([
  [10, { name: "TRACE", style: "dim" }],
  [20, { name: "DEBUG", style: "dim" }],
  [30, INFO],
  [40, { name: "WARN", style: "yellow" }],
  [50, { name: "ERROR", style: "red" }],
  [60, { name: "FATAL", style: "red" }],
]);

type Style = "dim" | "green" | "yellow" | "red";

/** What a person at the terminal knows. */
const LEFT_OUT = new Set(["level", "pid", "hostname"]);

/** What the lines of a log are written to. */
export interface LogPlace {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Takes a line of JSON with its newline, and gives the text to write. */
export type LogRenderer = (line: string) => string;

/** Colours are for terminals alone, also where the environment asks for them. */
export function logRendererOf(format: LogFormat, { isTerminal, environment }: LogPlace): LogRenderer {
  if (format === "json" || (format === "auto" && !isTerminal)) return withTimeText;
  const withColour = isTerminal && usesColour("auto", { environment }, isTerminal);
  return (line) => renderLogLine(line, withColour);
}

/** pino writes the time first, as milliseconds, which no person can read. */
function withTimeText(line: string): string {
  return line.replace(
    /^(\{"level":\d+,"time":)(\d{1,15})(?=[,}])/,
    (_, start: string, ms: string) => `${start}"${new Date(Number(ms)).toISOString()}"`,
  );
}

/**
 * Renders a log line in JSON as a line for people: time in UTC, level, program, message and the fields. A
 * stack follows on lines of its own. Control characters become visible, also in a text of another form.
 */
function renderLogLine(line: string, withColour: boolean): string {
  const fields = objectOf(line);
  if (fields === null) return printable(line);
  const { level, time, name, msg, err } = fields;
  const paint = (style: Style, text: string): string =>
    withColour ? styleText(style, text, { validateStream: false }) : text;
  const severity = LEVELS.get(level) ?? INFO;
  const words = [
    paint("dim", timeOf(time)),
    paint(severity.style, severity.name.padEnd(5)),
    ...textOf(name),
    ...textOf(msg),
    ...fieldsOf(fields).map((field) => paint("dim", field)),
  ];
  return `${words.join("  ")}\n${stackOf(err)}`;
}

function objectOf(line: string): JsonObject | null {
  try {
    const value = parseJson(line) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function timeOf(time: JsonValue | undefined): string {
  if (typeof time !== "number" || Number.isNaN(new Date(time).getTime())) return "?";
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

function textOf(value: JsonValue | undefined): readonly string[] {
  return typeof value === "string" ? [oneLine(value)] : [];
}

function fieldsOf(line: JsonObject): readonly string[] {
  const { err } = line;
  const error = isJsonObject(err) && typeof err["message"] === "string" ? { error: err["message"] } : {};
  const shown = Object.entries({ ...line, ...error });
  return shown
    .filter(([name, value]) => !LEFT_OUT.has(name) && !hasPlace(name, value) && value !== null)
    .map(([name, value]) => `${oneLine(name)}=${valueText(value)}`);
}

/** Whether the member stands elsewhere on the line. */
function hasPlace(name: string, value: JsonValue): boolean {
  switch (name) {
    case "time":
      return typeof value === "number";
    case "name":
    case "msg":
      return typeof value === "string";
    case "err":
      return isJsonObject(value) && typeof value["message"] === "string";
    default:
      return false;
  }
}

/** A text that a person can read without quotes stands without them. */
function valueText(value: JsonValue): string {
  const text = typeof value === "string" && /^[\w.:/@+,-]+$/.test(value) ? value : jsonText(value);
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}...`;
}

/** The places in a stack, without its message, which is a field. */
function stackOf(err: JsonValue | undefined): string {
  const stack = err !== undefined && isJsonObject(err) ? err["stack"] : undefined;
  if (typeof stack !== "string") return "";
  const places = stack.split("\n").filter((place) => /^\s+at /.test(place));
  return places.map((place) => `${oneLine(place)}\n`).join("");
}

function oneLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
