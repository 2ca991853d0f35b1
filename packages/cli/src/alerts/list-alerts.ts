import { alertRoutes } from "@svc/api/alert-routes";
import type { AlertRecord, AlertStatus } from "@svc/contract/alert";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface ListAlertsOptions extends ServerOptions, OutputOptions {
  readonly status: AlertStatus | "unresolved" | "all";
}

const HEADINGS = ["ID", "SEVERITY", "CONDITION", "STATUS", "OPENED", "SUMMARY"];

/** Lists alerts, page by page. @throws CommandFailure */
export async function listAlerts(options: ListAlertsOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { status } = options;
  const limit = String(MAX_PAGE_SIZE);
  const alerts: AlertRecord[] = [];
  for (const one of statusesOf(status)) {
    const pages = everyPage((cursor) =>
      client.ask(alertRoutes.listAlerts, { query: { status: one, limit, cursor } }),
    );
    for await (const page of pages) alerts.push(...page.alerts);
  }
  output.result({
    text:
      alerts.length === 0
        ? `no ${status === "all" ? "" : `${status} `}alerts\n`
        : renderTable(HEADINGS, alerts.map(rowOf), output.isTerminal),
    schema: "svc.cli.alerts/v1",
    json: { alerts },
    items: alerts,
  });
  return "ok";
}

/** What is asked for, in the order in which it is shown. */
function statusesOf(status: ListAlertsOptions["status"]): readonly (AlertStatus | undefined)[] {
  if (status === "all") return [undefined];
  return status === "unresolved" ? ["open", "acknowledged"] : [status];
}

function rowOf({ id, severity, condition, status, opened_at, summary }: AlertRecord): readonly string[] {
  return [id, severity, condition, status, opened_at, summary];
}
