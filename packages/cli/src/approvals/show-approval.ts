import { approvalRoutes } from "@svc/api/approval-routes";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { approvalText } from "./approval-text.ts";

/** Shows one approval. @throws CommandFailure */
export async function showApproval(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { body } = await client.ask(approvalRoutes.getApproval, { params: { approval_id: id } });
  output.result({ text: approvalText(body, Date.now()), schema: "svc.cli.approval/v1", json: body });
  return "ok";
}
