import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { approvalRoutes } from "@svc/api/approval-routes";
import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { parseStrictJsonText } from "@svc/contract/strict-json-text";
import { type ReasonedOptions, reasonOf } from "../connection/change-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readFault } from "../frame/read-fault.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type Resolution, resolveApproval } from "./resolve-approval.ts";

export interface ApproveOptions extends ReasonedOptions {
  readonly editArgs?: string;
}

/** Approves a paused call, perhaps with other arguments. @throws CommandFailure */
export async function approveCall(id: string, options: ApproveOptions, terminal: Terminal): Promise<Outcome> {
  const reason = reasonOf(options);
  const args = options.editArgs === undefined ? null : await readArgs(options.editArgs, terminal);
  const resolution: Resolution = {
    what: "approve",
    args,
    ask: async (client) => {
      const question = { params: { approval_id: id }, body: { reason, args } };
      return (await client.ask(approvalRoutes.approveCall, question)).body;
    },
  };
  return resolveApproval(id, resolution, { options, terminal });
}

/** @throws CommandFailure `usage` */
async function readArgs(text: string, terminal: Terminal): Promise<JsonObject> {
  const isFile = text.startsWith("@");
  const name = isFile ? text.slice(1) : "--edit-args";
  const json = parseStrictJsonText(isFile ? await readText(name, terminal) : text);
  if (!json.ok) {
    const { line, column, expected, found } = json.fault;
    const place = `${name}:${String(line)}:${String(column)}`;
    throw new CommandFailure("usage", `${place}: not strict JSON: expected ${expected}, found ${found}`);
  }
  if (isJsonObject(json.value)) return json.value;
  throw new CommandFailure("usage", `${name}: expected all arguments of the call as a JSON object`);
}

async function readText(file: string, { stdin, workingDirectory }: Terminal): Promise<string> {
  try {
    if (file !== "-") return await readFile(resolve(workingDirectory, file), "utf8");
    const chunks: Uint8Array[] = [];
    for await (const chunk of stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected arguments in JSON: ${readFault(error)}`, error);
  }
}
