import { webhookRoutes } from "@svc/api/webhook-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { WebhookAnswer } from "@svc/contract/webhook";
import type { WebhookHealth } from "@svc/contract/webhook-delivery";
import { confirmProtected } from "../connection/change-options.ts";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { type Member, renderMembers, renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface WebhookChangeOptions extends ServerOptions, OutputOptions {
  readonly out?: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

export type ListWebhooksOptions = ServerOptions & OutputOptions;

const HEADINGS = ["ID", "ADDRESS", "EVENTS", "STATE"];

/** Lists endpoints, newest first. @throws CommandFailure */
export async function listWebhooks(options: ListWebhooksOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const limit = String(MAX_PAGE_SIZE);
  const webhooks = await everyItem(
    (cursor) => client.ask(webhookRoutes.listWebhooks, { query: { limit, cursor } }),
    (page) => page.webhooks,
  );
  output.result({
    text:
      webhooks.length === 0 ? "no webhooks\n" : renderTable(HEADINGS, webhooks.map(rowOf), output.isTerminal),
    schema: "svc.cli.webhooks/v1",
    json: { webhooks },
    items: webhooks,
  });
  return "ok";
}

function rowOf(webhook: WebhookAnswer): readonly string[] {
  return [webhook.id, webhook.url, webhook.events.join(","), stateText(webhook)];
}

/** Shows an endpoint, and how it fares. @throws CommandFailure */
export async function showWebhook(
  id: string,
  options: ListWebhooksOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { body } = await client.ask(webhookRoutes.getWebhook, { params: { webhook_id: id } });
  output.result({
    text: [`webhook ${id}\n`, ...renderMembers([...webhookMembers(body), ...healthMembers(body.health)])],
    schema: "svc.cli.webhook/v1",
    json: body,
  });
  return "ok";
}

function healthMembers(health: WebhookHealth): Member[] {
  const { state, failures, pending, pending_is_complete, oldest_undelivered_at, dead, rows_lost } = health;
  const since = oldest_undelivered_at === null ? "" : `, since ${oldest_undelivered_at}`;
  return [
    ["deliveries", state, state === "healthy" ? "good" : "bad"],
    ["failures", `${String(failures)} in a row`],
    ["pending", `${pending_is_complete ? "" : "at least "}${String(pending)}${since}`],
    ["dead", String(dead)],
    ["last success", health.last_success_at ?? "none"],
    ["last failure", health.last_failure_at ?? "none"],
    ...(rows_lost === 0 ? [] : ([["rows lost", String(rows_lost), "bad"]] as const)),
  ];
}

export type WebhookChange = "enable" | "disable" | "remove";

const DONE: Readonly<Record<WebhookChange, string>> = {
  enable: "enabled",
  disable: "disabled",
  remove: "removed",
};

/** Enables, disables or removes an endpoint. @throws CommandFailure */
export async function changeWebhook(
  change: WebhookChange,
  id: string,
  options: WebhookChangeOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `${change} webhook ${id}`, options, terminal);
  const client = new ControlClient(connection);
  const params = { webhook_id: id };
  const asked = options.dryRun
    ? client.ask(webhookRoutes.getWebhook, { params })
    : sayWhatIsKnown(send(client, change, id), changeWords("svc-cli webhooks list"));
  const { body } = await asked;
  const done = options.dryRun ? `dry run  nothing was changed; this would ${change}` : `${DONE[change]} `;
  output.result({
    text: [`${done} webhook ${id}\n`, ...renderMembers(webhookMembers(body))],
    schema: "svc.cli.webhook/v1",
    json: { ...body, dry_run: options.dryRun },
  });
  return "ok";
}

function send(client: ControlClient, change: WebhookChange, id: string) {
  const params = { webhook_id: id };
  return change === "remove"
    ? client.ask(webhookRoutes.deleteWebhook, { params })
    : client.ask(webhookRoutes.updateWebhook, { params, body: { enabled: change === "enable" } });
}

/** What an endpoint takes, and whether it gets it. */
export function webhookMembers(webhook: WebhookAnswer): Member[] {
  const { url, events, agents, namespaces, decisions, description, next_secret_at } = webhook;
  return [
    ["address", url],
    ["events", events.join(", ")],
    ["agents", agents?.join(", ") ?? "every agent"],
    ["namespaces", namespaces?.join(", ") ?? "every namespace"],
    ["decisions", decisions?.join(", ") ?? "every decision"],
    ["state", stateText(webhook)],
    ...(description === null ? [] : ([["description", description]] as const)),
    ...(next_secret_at === null ? [] : ([["next secret at", next_secret_at]] as const)),
  ];
}

function stateText({ disabled_at, disabled_reason }: WebhookAnswer): string {
  return disabled_at === null ? "enabled" : `disabled ${disabled_at} (${disabled_reason ?? "operator"})`;
}
