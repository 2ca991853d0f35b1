import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type CallToSimulate, parseSimulation } from "@svc/contract/policy-simulation";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { parseStrictJson } from "@svc/text/strict-json";
import { CommandFailure } from "../frame/exit-code.ts";
import { parseJsonInput } from "../frame/parse-json-input.ts";
import { readFault } from "../frame/read-fault.ts";
import { readInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

/** A call as the command line has it. */
export interface GivenCall {
  /** A file, `-`, JSON, or the name of a tool. */
  readonly action: string;
  /** Arguments of the tool: `name=value`. */
  readonly values: readonly string[];
}

/** What a call has when it names none of its own. */
export interface CallDefaults {
  readonly agentId: string;
  readonly sessionId: string;
}

/** Reads one call: a file, stdin, or JSON on the command line. @throws CommandFailure `usage` */
export async function readCall(
  { action, values }: GivenCall,
  { agentId, sessionId }: CallDefaults,
  terminal: Terminal,
): Promise<CallToSimulate> {
  const isInline = action.trimStart().startsWith("{");
  const isTool = values.length > 0 || !(isInline || isFile(action, terminal));
  const name = isInline || isTool ? "the call" : action;
  const value = isTool
    ? { tool: action, args: argumentsOf(values) }
    : parseJsonInput(name, isInline ? action : await readText(action, terminal));
  if (!isJsonObject(value)) throw new CommandFailure("usage", `${name}: expected one call as a JSON object`);
  const call: JsonObject = { agent_id: agentId, session_id: sessionId, ...value };
  // Null: the call names no session.
  const { session_id: session, ...rest } = call;
  const parsed = parseSimulation({ document: "given", calls: [session === null ? rest : call] });
  if (parsed.ok && parsed.value.calls[0] !== undefined) return parsed.value.calls[0];
  const faults = parsed.ok ? [] : parsed.errors;
  throw new CommandFailure(
    "usage",
    faults
      .map(({ pointer, expected, found, fix }) => {
        const member = pointer.replace(/^\/calls\/0\/?/, "").replaceAll("/", ".");
        const hint = fix === undefined ? "" : `; ${fix}`;
        return `${name}: ${member || "the call"}: expected ${expected}, found ${found}${hint}`;
      })
      .join("\n"),
  );
}

/** What looks like a file is one, so that a wrong path is not taken for a tool. */
function isFile(action: string, { workingDirectory }: Pick<Terminal, "workingDirectory">): boolean {
  return action === "-" || /[/\\]|\.json$/.test(action) || existsSync(resolve(workingDirectory, action));
}

function argumentsOf(values: readonly string[]): JsonObject {
  const args: Record<string, JsonValue> = {};
  for (const text of values) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new CommandFailure("usage", `expected name=value, such as amount=600; found "${text}"`);
    if (Object.hasOwn(args, name))
      throw new CommandFailure("usage", `${name}: expected one value, found two`);
    args[name] = valueOf(value);
  }
  return args;
}

/** JSON where it is some, else the text itself: an IBAN needs no quotes. */
function valueOf(text: string): JsonValue {
  const parsed = parseStrictJson(Buffer.from(text, "utf8"), MAX_BODY_BYTES);
  return parsed.ok ? parsed.value : text;
}

async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    return await readInput(file, terminal);
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected a call in JSON: ${readFault(error)}`, error);
  }
}
