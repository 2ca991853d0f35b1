import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { type CallToSimulate, parseSimulation } from "@svc/contract/policy-simulation";
import { CommandFailure } from "../frame/exit-code.ts";
import { parseJsonInput } from "../frame/parse-json-input.ts";
import { readFault } from "../frame/read-fault.ts";
import { readInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

/** What a call has when it names none of its own. */
export interface CallDefaults {
  readonly agentId: string;
  readonly sessionId: string;
}

/** Reads one call: a file, stdin, or JSON on the command line. @throws CommandFailure `usage` */
export async function readCall(
  action: string,
  { agentId, sessionId }: CallDefaults,
  terminal: Terminal,
): Promise<CallToSimulate> {
  const isInline = action.trimStart().startsWith("{");
  const name = isInline ? "the call" : action;
  const value = parseJsonInput(name, isInline ? action : await readText(action, terminal));
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

async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    return await readInput(file, terminal);
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected a call in JSON: ${readFault(error)}`, error);
  }
}
