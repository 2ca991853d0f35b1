import { readFileSync } from "node:fs";
import { nearestField, parseWith } from "@svc/contract/parse-with";
import { hideUser } from "@svc/process/parsers";
import type { JsonValue } from "@svc/text/json-value";
import { parse } from "yaml";
import type { ZodType } from "zod";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { requireFile } from "../frame/read-input.ts";

/** Largest file of settings in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Reads a file of settings in YAML; null when there is none. @throws CommandFailure `usage` */
export function readSettingsFile<Value>(path: string, schema: ZodType<Value>): Value | null {
  const text = readText(path);
  if (text === null) return null;
  const parsed = parseWith(schema, parseYaml(path, text), nearestField(FIELDS));
  if (parsed.ok) return parsed.value;
  const faults = parsed.errors.map(({ pointer, expected, found, fix }) => {
    const hint = fix === undefined ? "" : `; ${fix}`;
    const where = pointer.slice(1).replaceAll("/", ".") || "the file";
    return `${path}: ${where}: expected ${expected}, found ${hideUser(found)}${hint}`;
  });
  throw new CommandFailure("usage", faults.join("\n"));
}

const FIELDS = ["current", "contexts", "environments"];

function readText(path: string): string | null {
  try {
    const text = readFileSync(requireFile(path), "utf8");
    if (text.length > MAX_BYTES) throw new Error(`more than ${String(MAX_BYTES)} bytes`);
    return text;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new CommandFailure("usage", `${path}: expected a file of settings: ${readFault(error)}`, error);
  }
}

function parseYaml(path: string, text: string): JsonValue {
  try {
    return parse(text, { schema: "core", merge: false, maxAliasCount: 0, logLevel: "error" }) as JsonValue;
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw new CommandFailure("usage", `${path}: expected YAML: ${why}`, error);
  }
}
