import { ADDRESSABLE_ID_EXPECTATION, isAddressableId } from "@svc/contract/addressable-id";
import { CHANNEL_SET } from "@svc/contract/channel-kinds";
import { type ChannelTarget, shownTarget } from "@svc/contract/channel-target";
import type { ChannelRecord, ChannelSettings, NotificationChannel } from "@svc/contract/notification-channel";
import type { Principal } from "@svc/contract/principal";
import { newWebhookSecret } from "@svc/contract/sign-webhook";
import { newCourse } from "@svc/store/ports/delivery-store";
import { excerpt } from "@svc/text/excerpt";
import { callStore, NOT_READ } from "../call-store.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import { channelRow } from "./channel-row.ts";
import { channelUses } from "./channel-uses.ts";
import { channelSecretPlace, renderChannelSecret } from "./opened-channel.ts";

const NOT_CONFIRMED =
  "The store did not confirm the change of the channel. Read the channel before you try again.";

const NOT_SEALED =
  "The address of the channel could not be stored, so nothing was changed. The log of the server says why; " +
  "with PostgreSQL the server needs SVC_SECRETS_KEY.";

/** What a channel is to be. */
export interface ChannelOrder extends ChannelSettings {
  readonly id: string;
  /** False: an entry of a namespace or a workflow makes it. */
  readonly named: boolean;
  /** Refuses a channel that is there. */
  readonly mustBeNew: boolean;
}

/** Makes a channel, or replaces everything about it. It is told what is committed from then on. */
export async function putChannel(
  ports: ChannelPorts,
  principal: Principal,
  order: ChannelOrder,
): Promise<Outcome<ChannelRecord>> {
  const { org } = principal;
  const { id, target } = order;
  if (!isAddressableId(id)) {
    const entry = {
      pointer: "notification_channel_id",
      expected: ADDRESSABLE_ID_EXPECTATION,
      found: excerpt(id, 64),
    };
    return refuse("invalid_request", `notification_channel_id: expected ${entry.expected}.`, [entry]);
  }
  const found = await callStore(ports, NOT_READ, () => ports.notificationChannels.find(org, id));
  if (found.kind === "problem") return found;
  const before = found.value;
  if (before !== null && order.mustBeNew)
    return refuse("conflict", `There is a channel ${id} already. PUT replaces it.`);
  const refusal = await refuseTarget(ports, target, before);
  if (refusal !== null) return refusal;
  const keepsSecret = target.kind !== "email" && target.address === CHANNEL_SET;
  const sealed = keepsSecret
    ? { kind: "ok" as const, value: before?.secret_id ?? null }
    : await sealSecret(ports, org, order);
  if (sealed.kind === "problem") return sealed;
  const record = recordOf(ports, { principal, order, before, secretId: sealed.value });
  const problem = await (before === null
    ? createRecord(ports, principal, record)
    : replaceRecord(ports, principal, { before, record }));
  const unused = problem === null ? before?.secret_id : sealed.value;
  // After a fault of the store, the record may name it.
  if (!keepsSecret && problem?.problem.code !== "unavailable") await forgetSecret(ports, org, unused);
  if (problem !== null) return problem;
  ports.log.info({ org, principal: principal.id, notification_channel_id: id }, "notification channel set");
  return { kind: "ok", value: record };
}

/** A channel as it is shown. */
export function channelView(record: ChannelRecord): NotificationChannel {
  const { email, course_id: _course, secret_id: _secret, ...shown } = record;
  return { ...shown, ...shownTarget(record.kind, email) };
}

/** A secret that stays behind by a fault opens nothing: no record names it. The log has the fault. */
export async function forgetSecret(
  ports: Pick<ChannelPorts, "log" | "sealedSecrets">,
  org: string,
  id: string | null | undefined,
): Promise<void> {
  if (id === null || id === undefined) return;
  await callStore(ports, "an address of a channel that nothing uses was not removed", () =>
    ports.sealedSecrets.remove(channelSecretPlace(org, id)),
  );
}

async function refuseTarget(
  { destinations }: Pick<ChannelPorts, "destinations">,
  target: ChannelTarget,
  before: ChannelRecord | null,
): Promise<Refusal | null> {
  if (target.kind === "email") return null;
  const pointer = `/${target.kind}`;
  if (target.address === CHANNEL_SET) {
    if (before?.kind === target.kind) return null;
    const expected = "an address or a key; `set` keeps the stored one of the same kind, and there is none";
    return refuse("invalid_request", `${target.kind}: expected ${expected}.`, [
      { pointer, expected, found: JSON.stringify(CHANNEL_SET) },
    ]);
  }
  if (target.kind === "pagerduty") return null;
  // A name server that is away keeps nobody from changing settings: each connection is judged.
  const why = await destinations.judge(target.address, "accepted");
  if (why === null) return null;
  const expected = `an address that may be called: ${why}`;
  const found = JSON.stringify(new URL(target.address).origin);
  return refuse("invalid_request", `${target.kind}: ${why}.`, [{ pointer, expected, found }]);
}

/** @returns under which id; null: mail has no secret */
async function sealSecret(
  ports: ChannelPorts,
  org: string,
  { target, secret }: ChannelOrder,
): Promise<Outcome<string | null>> {
  if (target.kind === "email") return { kind: "ok", value: null };
  const id = ports.newId("chs");
  const signing = target.kind === "webhook" ? (secret ?? newWebhookSecret()) : null;
  const text = renderChannelSecret({ address: target.address, signing });
  const put = () => ports.sealedSecrets.put(channelSecretPlace(org, id), text);
  const stored = await callStore(ports, NOT_SEALED, put);
  return stored.kind === "problem" ? stored : { kind: "ok", value: id };
}

interface RecordParts {
  readonly principal: Principal;
  readonly order: ChannelOrder;
  readonly before: ChannelRecord | null;
  readonly secretId: string | null;
}

function recordOf({ clock, newId }: ChannelPorts, parts: RecordParts): ChannelRecord {
  const { principal, order, before, secretId } = parts;
  const { id, target, description, named } = order;
  const time = clock.now().toISOString();
  return {
    id,
    kind: target.kind,
    email: target.kind === "email" ? target.addresses : null,
    origin: originOf(target, before),
    description,
    // An entry with the address of a named channel does not make it a nameless one.
    named: named || before?.named === true,
    disabled_at: null,
    disabled_reason: null,
    created_at: before?.created_at ?? time,
    created_by: before?.created_by ?? principal.id,
    updated_at: time,
    updated_by: principal.id,
    course_id: before?.course_id ?? newId("chn"),
    secret_id: secretId,
  };
}

function originOf(target: ChannelTarget, before: ChannelRecord | null): string | null {
  if (target.kind === "email" || target.kind === "pagerduty") return null;
  return target.address === CHANNEL_SET ? (before?.origin ?? null) : new URL(target.address).origin;
}

/** Its course begins before the record is there, so no event between the two is left out. */
async function createRecord(
  ports: ChannelPorts,
  { org, id: principal }: Principal,
  record: ChannelRecord,
): Promise<Refusal | null> {
  const begun = await callStore(ports, NOT_CONFIRMED, async () => beginCourse(ports, record));
  if (begun.kind === "problem") return begun;
  const auditRow = channelRow({ org, principal, time: record.updated_at, action: "created", record });
  const create = () => ports.notificationChannels.create({ org, auditRow, record });
  const stored = await callStore(ports, NOT_CONFIRMED, create);
  // Whether the record is there is not known. Without its course, it would be told nothing.
  if (stored.kind === "problem") return stored;
  if (stored.value.kind === "created") return null;
  await callStore(ports, "the course of a channel that was not made stays", () =>
    ports.deliveries.remove(record.course_id),
  );
  const detail = "This organization has as many notification channels as it can have. Remove one.";
  return refuse("limit_reached", detail);
}

/** Tells what happens from now on. */
async function beginCourse(
  { rows, deliveries }: Pick<ChannelPorts, "rows" | "deliveries">,
  { course_id }: ChannelRecord,
): Promise<void> {
  const { sizes } = await rows.eventRows({ from: new Map(), limit: 0, maxBytes: 1 });
  await deliveries.begin(course_id, newCourse(sizes));
}

/** A channel that nobody named until now tells nothing that happened before. */
export async function beginWhereUnused(
  ports: ChannelPorts,
  org: string,
  record: ChannelRecord,
): Promise<Refusal | null> {
  const begun = await callStore(ports, NOT_CONFIRMED, async () => {
    if ((await channelUses(ports, org, record.id)).length > 0) return;
    await ports.deliveries.remove(record.course_id);
    await beginCourse(ports, record);
  });
  return begun.kind === "problem" ? begun : null;
}

async function replaceRecord(
  ports: ChannelPorts,
  { org, id: principal }: Principal,
  { before, record }: { readonly before: ChannelRecord; readonly record: ChannelRecord },
): Promise<Refusal | null> {
  const auditRow = channelRow({ org, principal, time: record.updated_at, action: "updated", record });
  const stored = await callStore(ports, NOT_CONFIRMED, () =>
    ports.notificationChannels.replace({ org, auditRow, before, record }),
  );
  if (stored.kind === "problem") return stored;
  if (stored.value.kind !== "replaced")
    return refuse("conflict", `Channel ${record.id} was changed meanwhile. Read it, and try again.`);
  // Failures of before must not disable it at once.
  const revived = await callStore(ports, NOT_CONFIRMED, () => ports.deliveries.revive(record.course_id));
  return revived.kind === "problem" ? revived : null;
}
