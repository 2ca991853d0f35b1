import { explanationRoutes } from "@svc/api/explanation-routes";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { renderRecorded } from "./render-recorded.ts";

/** Explains a decision of the audit log, which the server makes again. @throws CommandFailure */
export async function explainRecorded(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  const { body } = await client.ask(explanationRoutes.explainDecision, { params: { decision_id: id } });
  output.result({
    text: [...renderRecorded(body, connection.url)],
    schema: "svc.cli.explain-recorded/v1",
    json: body,
  });
  return body.agrees === false ? "failed" : "ok";
}
