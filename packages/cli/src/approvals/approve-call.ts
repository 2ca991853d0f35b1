import { approvalRoutes } from "@svc/api/approval-routes";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { type ReasonedOptions, reasonOf } from "../connection/change-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { parseJsonInput } from "../frame/parse-json-input.ts";
import { readFault } from "../frame/read-fault.ts";
import { readInput } from "../frame/read-input.ts";
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
  const value = parseJsonInput(name, isFile ? await readText(name, terminal) : text);
  if (isJsonObject(value)) return value;
  throw new CommandFailure("usage", `${name}: expected all arguments of the call as a JSON object`);
}

async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    return await readInput(file, terminal);
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected arguments in JSON: ${readFault(error)}`, error);
  }
}
