import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";

/** The settings cannot be changed without a risk. The message says where and why. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** @throws SettingsError that names the place where the hooks do not have the form that Claude Code reads */
export function checkHooks(settings: JsonObject): void {
  const { hooks } = settings;
  if (hooks === undefined) return;
  if (!isJsonObject(hooks)) throw wrongType("hooks", "an object with a list for each event", hooks);
  for (const [event, groups] of Object.entries(hooks)) {
    listAt(`hooks.${event}`, groups).forEach((group, index) => {
      const place = `hooks.${event}[${String(index)}]`;
      if (!isJsonObject(group)) throw wrongType(place, "an object with a list of hooks", group);
      listAt(`${place}.hooks`, group["hooks"]).forEach((hook, at) => {
        if (!isJsonObject(hook)) throw wrongType(`${place}.hooks[${String(at)}]`, "an object", hook);
      });
    });
  }
}

function listAt(place: string, value: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(value)) throw wrongType(place, "a list", value);
  return value as readonly JsonValue[];
}

function wrongType(place: string, expected: string, found: JsonValue | undefined): SettingsError {
  return new SettingsError(
    `${place}: expected ${expected}, found ${nameOfType(found)}. ` +
      "Claude Code ignores a file with a value of a wrong type, with all hooks in it.",
  );
}

function nameOfType(value: JsonValue | undefined): string {
  if (value === undefined) return "none";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
