import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { type CallToSimulate, parseSimulation } from "@svc/contract/policy-simulation";
import { parseStrictJsonText } from "@svc/contract/strict-json-text";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/read-fault.ts";
import type { Terminal } from "../frame/terminal.ts";
import { STDIN } from "../policy-files/find-policy-files.ts";

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
  const json = parseStrictJsonText(isInline ? action : await readText(action, terminal));
  if (!json.ok) {
    const { line, column, expected, found } = json.fault;
    const place = `${name}:${String(line)}:${String(column)}`;
    throw new CommandFailure("usage", `${place}: not strict JSON: expected ${expected}, found ${found}`);
  }
  if (!isJsonObject(json.value))
    throw new CommandFailure("usage", `${name}: expected one call as a JSON object`);
  const call: JsonObject = { agent_id: agentId, session_id: sessionId, ...json.value };
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

async function readText(file: string, { stdin, workingDirectory }: Terminal): Promise<string> {
  try {
    if (file !== STDIN) return await readFile(resolve(workingDirectory, file), "utf8");
    const chunks: Uint8Array[] = [];
    for await (const chunk of stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected a call in JSON: ${readFault(error)}`, error);
  }
}
