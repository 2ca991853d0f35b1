import { isName, NAME_EXPECTATION } from "@svc/contract/name";
import { excerpt } from "@svc/text/excerpt";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { HookInputError } from "./read-input.ts";

/** Largest input in bytes: the gateway takes at most a quarter of it as arguments. */
export const MAX_TOOL_USE_BYTES = 1024 * 1024;

/** Longest piece of a wrong value that a message repeats, in characters. */
const EXCERPT_LENGTH = 80;

/** A tool call that Claude Code is about to make. */
export interface ToolUse {
  readonly sessionId: string;
  /** As Claude Code names it: `Bash`, `mcp__github__create_issue`. */
  readonly tool: string;
  readonly args: JsonObject;
  /** Null where the client gives its calls no ids. */
  readonly callId: string | null;
}

/**
 * Reads the input of a PreToolUse hook. Members that the hook does not use may be of any kind.
 * @throws HookInputError that names the member
 */
export function parseToolUse(input: Uint8Array): ToolUse {
  if (input.byteLength === 0)
    throw new HookInputError("Expected the JSON of a PreToolUse hook on stdin, found nothing.");
  const json = parseStrictJson(input, MAX_TOOL_USE_BYTES);
  if (!json.ok)
    throw new HookInputError(
      `stdin:${String(json.fault.line)}:${String(json.fault.column)}: not strict JSON: ` +
        `expected ${json.fault.expected}, found ${json.fault.found}.`,
    );
  if (!isJsonObject(json.value)) throw new HookInputError("stdin: expected a JSON object.");
  const { hook_event_name: event, session_id, tool_name, tool_input, tool_use_id } = json.value;
  if (event !== "PreToolUse") {
    const found = shown(event);
    throw new HookInputError(
      `hook_event_name: expected "PreToolUse", found ${found}. For PostToolUse, add --report to the command.`,
    );
  }
  if (!isJsonObject(tool_input)) throw new HookInputError("tool_input: expected an object.");
  return {
    sessionId: identifier("session_id", session_id),
    tool: identifier("tool_name", tool_name),
    args: tool_input,
    callId: callIdOf(tool_use_id),
  };
}

function identifier(name: string, value: JsonValue | undefined): string {
  if (typeof value === "string" && isName(value)) return value;
  throw new HookInputError(`${name}: expected ${NAME_EXPECTATION}, found ${shown(value)}.`);
}

export function callIdOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === "string" && value !== "") return value;
  throw new HookInputError("tool_use_id: expected a text that is not empty.");
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? excerpt(value, EXCERPT_LENGTH) : "another type";
}
