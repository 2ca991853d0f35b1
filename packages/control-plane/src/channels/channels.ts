import type { ChannelDisabledReason } from "@svc/contract/channel-kinds";
import type {
  ChannelCreation,
  ChannelRecord,
  ChannelSettings,
  ChannelTest,
  NotificationChannel,
} from "@svc/contract/notification-channel";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ, readPage, readRecord } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import { channelRow } from "./channel-row.ts";
import { channelUses } from "./channel-uses.ts";
import {
  type ChannelTester,
  channelSecretPlace,
  type OpenedChannel,
  readChannelSecret,
} from "./opened-channel.ts";
import { channelView, forgetSecret, putChannel } from "./put-channel.ts";

/** Who changes a channel when nobody asked for it. */
const SERVICE = "notification_channels";

const NOT_REMOVED =
  "The store did not confirm it, so the channel may still be there. Look before you try again.";

export async function createChannel(
  ports: ChannelPorts,
  principal: Principal,
  creation: ChannelCreation,
): Promise<Outcome<NotificationChannel>> {
  return viewed(await putChannel(ports, principal, { ...creation, named: true, mustBeNew: true }));
}

export async function updateChannel(
  ports: ChannelPorts,
  principal: Principal,
  { id, settings }: { readonly id: string; readonly settings: ChannelSettings },
): Promise<Outcome<NotificationChannel>> {
  return viewed(await putChannel(ports, principal, { ...settings, id, named: true, mustBeNew: false }));
}

export async function getChannel(
  ports: Pick<ChannelPorts, "log" | "notificationChannels">,
  { org }: Principal,
  id: string,
): Promise<Outcome<NotificationChannel>> {
  return viewed(await readChannel(ports, org, id));
}

/** Newest first. */
export async function listChannels(
  ports: Pick<ChannelPorts, "log" | "notificationChannels">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<NotificationChannel>>> {
  const found = await readPage(ports, page, () => ports.notificationChannels.list(org, page));
  if (found.kind === "problem") return found;
  return { kind: "ok", value: { ...found.value, items: found.value.items.map(channelView) } };
}

/** Removes a channel that no namespace and no workflow names. */
export async function removeChannel(
  ports: ChannelPorts,
  { org, id: principal }: Principal,
  id: string,
): Promise<Outcome<NotificationChannel>> {
  const found = await readChannel(ports, org, id);
  if (found.kind === "problem") return found;
  const before = found.value;
  const uses = await callStore(ports, NOT_READ, () => channelUses(ports, org, id));
  if (uses.kind === "problem") return uses;
  if (uses.value.length > 0)
    return refuse("conflict", `Channel ${id} is in use by ${uses.value.join(", ")}.`);
  const time = ports.clock.now().toISOString();
  const auditRow = channelRow({ org, principal, time, action: "removed", record: before });
  const stored = await callStore(ports, NOT_REMOVED, () =>
    ports.notificationChannels.remove({ org, auditRow, before }),
  );
  if (stored.kind === "problem") return stored;
  if (stored.value.kind === "changed_before")
    return refuse("conflict", `Channel ${id} was changed meanwhile. Read it, and try again.`);
  await forgetSecret(ports, org, before.secret_id);
  await callStore(ports, "deliveries of a channel that was removed are still stored", () =>
    ports.deliveries.remove(before.course_id),
  );
  return { kind: "ok", value: channelView(before) };
}

/** Sends a test message now, and says what the receiver answered. */
export async function testChannel(
  ports: ChannelPorts & { readonly channelTester: ChannelTester },
  { org }: Principal,
  id: string,
): Promise<Outcome<ChannelTest>> {
  const found = await readChannel(ports, org, id);
  if (found.kind === "problem") return found;
  const opened = await callStore(ports, NOT_OPENED, () => openChannel(ports, org, found.value));
  if (opened.kind === "problem") return opened;
  return { kind: "ok", value: await ports.channelTester.test(org, opened.value) };
}

const NOT_OPENED =
  "The address of the channel could not be read, so nothing was sent. The log of the server says why.";

/** @throws when the address cannot be read */
export async function openChannel(
  { sealedSecrets }: { readonly sealedSecrets: Pick<ChannelPorts["sealedSecrets"], "get"> },
  org: string,
  { id, kind, email, secret_id }: ChannelRecord,
): Promise<OpenedChannel> {
  if (secret_id === null) return { kind, address: null, signing: null, email: email ?? [] };
  const text = await sealedSecrets.get(channelSecretPlace(org, secret_id));
  if (text === null) throw new Error(`the address of the channel ${id} is not there`);
  return { kind, ...readChannelSecret(text), email: [] };
}

/** Called by the sender for a channel that answered 410, or failed for too long. @throws to try again */
export async function disableChannel(
  ports: Pick<ChannelPorts, "clock" | "log" | "notificationChannels">,
  org: string,
  { id, reason }: { readonly id: string; readonly reason: ChannelDisabledReason },
): Promise<void> {
  const before = await ports.notificationChannels.find(org, id);
  if (before === null || before.disabled_at !== null) return;
  const time = ports.clock.now().toISOString();
  const record = { ...before, disabled_at: time, disabled_reason: reason };
  const auditRow = channelRow({ org, principal: SERVICE, time, action: "disabled", record });
  const { kind } = await ports.notificationChannels.replace({ org, auditRow, before, record });
  if (kind === "changed_before") throw new Error(`the channel ${id} was changed while it was disabled`);
  ports.log.warn({ org, notification_channel_id: id, reason }, "notification channel disabled");
}

async function readChannel(
  ports: Pick<ChannelPorts, "log" | "notificationChannels">,
  org: string,
  id: string,
): Promise<Outcome<ChannelRecord>> {
  const unknown = `This organization has no channel ${id}. GET notification-channels lists them.`;
  return readRecord(
    ports,
    () => ports.notificationChannels.find(org, id),
    () => refuse("not_found", unknown),
  );
}

function viewed(outcome: Outcome<ChannelRecord>): Outcome<NotificationChannel> {
  return outcome.kind === "problem" ? outcome : { kind: "ok", value: channelView(outcome.value) };
}
