import { webhookDeliveryRoutes } from "@svc/api/webhook-delivery-routes";
import type { WebhookDelivery } from "@svc/contract/webhook-delivery";
import type { WebhookType } from "@svc/contract/webhook-event";
import { confirmProtected } from "../connection/change-options.ts";
import { ControlClient, everyPage } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface ListDeliveriesOptions extends ServerOptions, OutputOptions {
  readonly status?: string;
  /** RFC 3339. */
  readonly since?: string;
  readonly all: boolean;
}

const HEADINGS = ["TIME", "STATUS", "EVENT", "DELIVERY", "ANSWER"];

/** Lists attempts, or deliveries that wait or are dead: a page, or all of them. @throws CommandFailure */
export async function listDeliveries(
  id: string,
  { status, since, all, ...options }: ListDeliveriesOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const deliveries: WebhookDelivery[] = [];
  for await (const page of everyPage((cursor) =>
    client.ask(webhookDeliveryRoutes.listWebhookDeliveries, {
      params: { webhook_id: id },
      query: { status, since, cursor },
    }),
  )) {
    deliveries.push(...page.deliveries);
    if (!all) break;
  }
  output.result({
    text:
      deliveries.length === 0
        ? "no deliveries\n"
        : renderTable(HEADINGS, deliveries.map(rowOf), output.isTerminal),
    schema: "svc.cli.webhook-deliveries/v1",
    json: { deliveries },
    items: deliveries,
  });
  return "ok";
}

function rowOf(delivery: WebhookDelivery): readonly string[] {
  const { id, event, status, attempted_at, next_attempt_at, response_status, fault, latency_ms } = delivery;
  const answer =
    attempted_at === null ? "" : (fault ?? `${String(response_status)} after ${String(latency_ms)} ms`);
  return [attempted_at ?? next_attempt_at ?? "", status, event, id, answer];
}

export interface SendAgainOptions extends ServerOptions, OutputOptions {
  readonly yes: boolean;
}

export interface TestWebhookOptions extends SendAgainOptions {
  readonly event?: WebhookType;
}

/** Sends a sample to an endpoint now, and says what the receiver answered. @throws CommandFailure */
export async function testWebhook(
  id: string,
  options: TestWebhookOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = await clientFor(`send a sample to webhook ${id}`, options, terminal);
  const { event } = options;
  const { body } = await client.ask(webhookDeliveryRoutes.testWebhook, {
    params: { webhook_id: id },
    body: event === undefined ? {} : { event },
  });
  const { delivered, fault, response_status, latency_ms } = body;
  const what = fault ?? `answered ${String(response_status)}`;
  new Output(terminal, options).result({
    text: [
      { text: delivered ? "delivered" : "not taken", as: delivered ? "good" : "bad" },
      `  ${body.event}  ${body.id}  ${what} after ${String(latency_ms)} ms\n`,
    ],
    schema: "svc.cli.webhook-test/v1",
    json: body,
  });
  return delivered ? "ok" : "failed";
}

/** Delivers one event again. @throws CommandFailure */
export async function replayDelivery(
  deliveryId: string,
  options: SendAgainOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = await clientFor(`deliver ${deliveryId} again`, options, terminal);
  const params = { delivery_id: deliveryId };
  const asked = client.ask(webhookDeliveryRoutes.replayDelivery, { params });
  const { body } = await sayWhatIsKnown(asked, changeWords("svc-cli webhooks deliveries <webhook>"));
  return sayQueued(body.queued, options, terminal);
}

export interface ResendOptions extends SendAgainOptions {
  readonly dryRun: boolean;
  /** RFC 3339. */
  readonly since?: string;
  readonly until?: string;
  readonly dead: boolean;
}

/** Delivers the events of a time again, or those whose deliveries are dead. @throws CommandFailure */
export async function resendEvents(id: string, options: ResendOptions, terminal: Terminal): Promise<Outcome> {
  if (options.since === undefined)
    throw new CommandFailure("usage", "--since: expected a time, or how long ago, such as --since 2h");
  const client = await clientFor(`deliver events to webhook ${id} again`, options, terminal);
  const { since, dead, dryRun } = options;
  const query = dryRun ? { dry_run: "true" } : {};
  // Each request goes on where the one before ended, so the end must not move.
  const until = options.until ?? new Date().toISOString();
  const range = { since, until, status: dead ? "dead" : "all" };
  let queued = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = cursor === undefined ? range : { ...range, cursor };
    const params = { webhook_id: id };
    const asked = client.ask(webhookDeliveryRoutes.replayWebhook, { params, query, body });
    const answer = await (dryRun ? asked : sayWhatIsKnown(asked, changeWords(`svc-cli webhooks show ${id}`)));
    queued += answer.body.queued;
    cursor = answer.body.next_cursor;
  }
  if (!dryRun) return sayQueued(queued, options, terminal);
  const what = queued === 1 ? "1 delivery" : `${String(queued)} deliveries`;
  new Output(terminal, options).result({
    text: `dry run  nothing was changed; this would send ${what} again\n`,
    schema: "svc.cli.webhook-replay/v1",
    json: { dry_run: true, queued },
  });
  return "ok";
}

async function clientFor(
  change: string,
  options: SendAgainOptions & { readonly dryRun?: boolean },
  terminal: Terminal,
): Promise<ControlClient> {
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, change, { ...options, dryRun: options.dryRun === true }, terminal);
  return new ControlClient(connection);
}

function sayQueued(queued: number, options: OutputOptions, terminal: Terminal): Outcome {
  const what = queued === 1 ? "1 delivery is" : `${String(queued)} deliveries are`;
  new Output(terminal, options).result({
    text: `${what} sent again, each under the id that it had\n`,
    schema: "svc.cli.webhook-replay/v1",
    json: { queued },
  });
  return "ok";
}
