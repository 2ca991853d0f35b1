import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { CommandFailure } from "../../frame/exit-code.ts";
import { readFault } from "../../frame/files.ts";
import type { Terminal } from "../../frame/terminal.ts";
import { checkHooks, SettingsError } from "./check-hooks.ts";

/** Whose settings of Claude Code. */
export const SETTINGS_SCOPES = ["user", "project", "local"] as const;
type SettingsScope = (typeof SETTINGS_SCOPES)[number];

export interface SettingsChoice {
  readonly scope: SettingsScope;
  /** A file in place of the scope's, such as the managed settings of an organization. */
  readonly settings?: string;
}

/** The file that Claude Code reads for a scope. */
export function settingsPath({ scope, settings }: SettingsChoice, terminal: Terminal): string {
  const { environment, workingDirectory } = terminal;
  if (settings !== undefined) return resolve(workingDirectory, settings);
  switch (scope) {
    case "user":
      return join(environment["CLAUDE_CONFIG_DIR"] || join(homeOf(terminal), ".claude"), "settings.json");
    case "project":
      return join(workingDirectory, ".claude", "settings.json");
    case "local":
      return join(workingDirectory, ".claude", "settings.local.json");
  }
}

/** A relative one would make the settings of the current folder those of the user. */
function homeOf({ environment }: Terminal): string {
  const home = environment["HOME"] ?? homedir();
  if (isAbsolute(home)) return home;
  throw new CommandFailure("usage", `HOME: expected an absolute path, found ${JSON.stringify(home)}`);
}

/** The text of a settings file; empty when there is none. @throws CommandFailure `usage` */
export function readSettingsFile(path: string): string {
  try {
    const { size } = fs.statSync(path);
    if (size > MAX_SETTINGS_BYTES)
      throw new SettingsError(`expected at most ${String(MAX_SETTINGS_BYTES)} bytes`);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(path));
    parseSettings(text);
    return text;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw new CommandFailure(
      "usage",
      `${path}: expected settings of Claude Code: ${readFault(error)}`,
      error,
    );
  }
}

/** Replaces the file at once, if it still holds what was shown. @throws CommandFailure `usage` */
export function writeSettingsFile(path: string, shown: string, text: string): void {
  if (readSettingsFile(path) !== shown)
    throw new CommandFailure("usage", `${path}: it changed meanwhile. Run the command again.`);
  try {
    // A link stays a link, and the file behind it changes.
    const file = fs.existsSync(path) ? fs.realpathSync(path) : path;
    fs.mkdirSync(dirname(file), { recursive: true });
    const mode = (fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
    const unfinished = `${file}.${String(process.pid)}.tmp`;
    fs.writeFileSync(unfinished, text, { mode, flag: "wx" });
    fs.renameSync(unfinished, file);
  } catch (error) {
    throw new CommandFailure("usage", `${path}: it could not be written: ${readFault(error)}`, error);
  }
}

/** Largest settings file in bytes: a person wrote it. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Reads settings as strictly as Claude Code does: in a file that it ignores, no hook runs. */
export function parseSettings(text: string): JsonObject {
  if (text.trim() === "") return {};
  const json = parseStrictJson(Buffer.from(text), MAX_SETTINGS_BYTES);
  if (!json.ok) {
    const { line, column, expected, found } = json.fault;
    throw new SettingsError(
      `line ${String(line)}, column ${String(column)}: expected ${expected}, found ${found}. ` +
        "Claude Code ignores a file that is not JSON, with all hooks in it. Comments are not JSON.",
    );
  }
  if (!isJsonObject(json.value)) throw new SettingsError("expected a JSON object");
  checkHooks(json.value);
  return json.value;
}
