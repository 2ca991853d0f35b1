import { notificationChannelRoutes } from "@svc/api/notification-channel-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { NotificationChannel } from "@svc/contract/notification-channel";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

export type ChannelsOptions = ServerOptions & OutputOptions;

const HEADINGS = ["ID", "KIND", "TO", "STATE", "DESCRIPTION"];

/** Lists notification channels, page by page. @throws CommandFailure */
export async function listChannels(options: ChannelsOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const limit = String(MAX_PAGE_SIZE);
  const channels = await everyItem(
    (cursor) => client.ask(notificationChannelRoutes.listNotificationChannels, { query: { limit, cursor } }),
    (page) => page.notification_channels,
  );
  output.result({
    text:
      channels.length === 0
        ? "no notification channels\n"
        : renderTable(HEADINGS, channels.map(rowOf), output.isTerminal),
    schema: "svc.cli.channels/v1",
    json: { notification_channels: channels },
    items: channels,
  });
  return "ok";
}

function rowOf(channel: NotificationChannel): readonly string[] {
  const { id, kind, disabled_reason, description } = channel;
  const state = disabled_reason === null ? "in use" : `disabled: ${disabled_reason}`;
  return [id, kind, whereTo(channel), state, description ?? ""];
}

/** Who is told, without what is secret. */
export function whereTo({ origin, email }: NotificationChannel): string {
  return origin ?? email?.join(", ") ?? "PagerDuty";
}

/** Sends a test message, and says whether the receiver took it. @throws CommandFailure */
export async function testChannel(
  id: string,
  options: ChannelsOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { notification_channel_id: id };
  const { body } = await client.ask(notificationChannelRoutes.testNotificationChannel, { params });
  const { delivered, status, fault, latency_ms } = body;
  const what = fault ?? (status === null ? "taken" : `answered ${String(status)}`);
  new Output(terminal, options).result({
    text: [
      { text: delivered ? "delivered" : "not taken", as: delivered ? "good" : "bad" },
      `  test message to ${id}  ${what} after ${String(latency_ms)} ms\n`,
    ],
    schema: "svc.cli.channel-test/v1",
    json: body,
  });
  return delivered ? "ok" : "failed";
}
