import { alertRoutes } from "@svc/api/alert-routes";
import type { AlertRecord, AlertStatus } from "@svc/contract/alert";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { type Member, renderMembers, renderTable } from "../frame/tables.ts";
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
    const found = await everyItem(
      (cursor) => client.ask(alertRoutes.listAlerts, { query: { status: one, limit, cursor } }),
      (page) => page.alerts,
    );
    alerts.push(...found);
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

export interface AcknowledgeOptions extends ServerOptions, OutputOptions {
  readonly note?: string;
  readonly dryRun: boolean;
}

/** Acknowledges an alert. One that is acknowledged or resolved stays as it is. @throws CommandFailure */
export async function acknowledgeAlert(
  id: string,
  options: AcknowledgeOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { alert_id: id };
  const asked = options.dryRun
    ? client.ask(alertRoutes.getAlert, { params })
    : sayWhatIsKnown(
        client.ask(alertRoutes.acknowledgeAlert, { params, body: { note: options.note ?? null } }),
        changeWords("svc-cli alerts list"),
      );
  const { body: alert } = await asked;
  const isNoteLost = options.note !== undefined && alert.note !== maskSecretsInText(options.note);
  if (isNoteLost && !options.dryRun) throw noteNotStored(alert);
  const done = options.dryRun ? "dry run  nothing was changed; this would acknowledge" : `${alert.status} `;
  output.result({
    text: [`${done} alert ${id}\n`, ...renderMembers(membersOf(alert))],
    schema: "svc.cli.alert/v1",
    json: { ...alert, dry_run: options.dryRun },
  });
  return "ok";
}

function noteNotStored(alert: AlertRecord): CommandFailure {
  const { id, status, acknowledged_by: by, acknowledged_at: at } = alert;
  const who = by === null ? "" : `, acknowledged by ${by} at ${at ?? "an unknown time"}`;
  return new CommandFailure("failed", `alert ${id} is ${status} already${who}: the note was not stored`);
}

function membersOf(alert: AlertRecord): Member[] {
  return [
    ["condition", alert.condition],
    ["subject", alert.subject],
    ["summary", alert.summary],
    ["opened", alert.opened_at],
    ["by", alert.acknowledged_by ?? "nobody yet"],
    ["note", alert.note ?? "none"],
    ["resolved", alert.resolved_at ?? "not yet"],
  ];
}
