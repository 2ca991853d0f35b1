import { isJsonObject, type JsonValue } from "@svc/text/json-value";

/** Texts that YAML reads as texts without quotes, also within brackets. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_.@/-]*$/;

/** Texts that some readers of YAML take for something else. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A value as YAML in one line, as people write it. */
export function renderFlow(value: JsonValue): string {
  if (typeof value === "string") return renderText(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isJsonObject(value))
    return `{${Object.entries(value)
      .map(([key, member]) => `${renderText(key)}: ${renderFlow(member)}`)
      .join(", ")}}`;
  return `[${value.map(renderFlow).join(", ")}]`;
}

function renderText(text: string): string {
  if (PLAIN.test(text) && !RESERVED.test(text)) return text;
  // In single quotes backslashes and double quotes stay as they are.
  return /^[^'\p{C}]*$/u.test(text) && /[\\"]/.test(text) ? `'${text}'` : JSON.stringify(text);
}
