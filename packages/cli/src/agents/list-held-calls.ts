import { heldCallRoutes } from "@svc/api/held-call-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

type HeldCall = JsonAnswerOf<typeof heldCallRoutes.listHeldCalls>["body"]["held_calls"][number];

export interface HeldOptions extends ServerOptions, OutputOptions {
  readonly status: HeldCall["status"] | "all";
  readonly agent?: string;
  readonly session?: string;
  readonly tool?: string;
}

/** Lists held calls, page by page. @throws CommandFailure */
export async function listHeldCalls(options: HeldOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const { status, agent: agent_id, session: session_id, tool } = options;
  const client = new ControlClient(await resolveConnection(options, terminal));
  const filter = { status: status === "all" ? undefined : status, agent_id, session_id, tool };
  const limit = String(MAX_PAGE_SIZE);
  const calls = await everyItem(
    (cursor) => client.ask(heldCallRoutes.listHeldCalls, { query: { ...filter, limit, cursor } }),
    ({ held_calls }) => held_calls,
    (read) => output.progress(`${String(read)} calls read`),
  );
  output.result({
    text:
      calls.length === 0
        ? `no ${status === "all" ? "held" : status} calls\n`
        : renderTable(HEADINGS, calls.map(rowOf), output.isTerminal),
    schema: "svc.cli.held-calls/v1",
    json: { held_calls: calls },
    items: calls,
  });
  return "ok";
}

const HEADINGS = ["ID", "STATUS", "AGENT", "SESSION", "TOOL", "HELD AT", "ENDS", "WHY"];

function rowOf(call: HeldCall): readonly string[] {
  const { id, status, agent_id, session_id, tool, held_at, expires_at, ended_at, end_reason } = call;
  return [id, status, agent_id, session_id ?? "", tool, held_at, ended_at ?? expires_at, end_reason ?? ""];
}
