import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { checkHooks } from "./check-hooks.ts";
import { SettingsError } from "./settings-error.ts";

/** Largest settings file in bytes: a person wrote it. */
export const MAX_SETTINGS_BYTES = 1024 * 1024;

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
