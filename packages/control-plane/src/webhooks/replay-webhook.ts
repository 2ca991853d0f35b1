import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import type { WebhookRecord } from "@svc/contract/webhook";
import type { WebhookReplay, WebhookReplayAnswer, WebhookReplayDryRun } from "@svc/contract/webhook-delivery";
import { MAX_REPLAYED_EVENT_ROWS } from "@svc/contract/webhook-limits";
import type { DeliveryRange, WaitingDelivery } from "@svc/store/ports/delivery-store";
import type { LogPositions } from "@svc/store/ports/event-rows";
import { parseJson } from "@svc/text/parse-json";
import { callStore, NOT_READ, readRecord } from "../call-store.ts";
import { type Outcome, type Refusal, refuse, refuseCursor } from "../refusal.ts";
import { type ChangePorts, changeWebhook, readWebhook } from "./change-webhook.ts";
import { positionsAt } from "./positions-at.ts";
import { isAtEnd, positionsAfter, WEBHOOK_PAGE } from "./webhook-health.ts";
import type { WebhookPorts } from "./webhook-ports.ts";
import type { OwnedWebhook } from "./webhook-sending.ts";

type ReplayPorts = ChangePorts & Pick<WebhookPorts, "deliveries" | "rows" | "webhookSending">;

const NOT_CONFIRMED =
  "The store did not confirm everything, so some deliveries may be sent again. Repeating is safe: each has " +
  "the id that it had.";

/** Delivers one event again, under the id that it had. */
export async function replayDelivery(
  ports: ReplayPorts,
  principal: Principal,
  deliveryId: string,
): Promise<Outcome<WebhookReplayAnswer>> {
  const unknown = () => refuse("not_found", `This organization has no delivery ${deliveryId}.`);
  const found = await readRecord(ports, () => ports.deliveries.find(deliveryId), unknown);
  if (found.kind === "problem") return found;
  const { endpointId: id, row } = found.value;
  const asked = await audited(ports, principal, id);
  if (asked.kind === "problem") return asked.problem.code === "not_found" ? unknown() : asked;
  const webhook = { org: principal.org, record: asked.value };
  const queued = await callStore(ports, NOT_CONFIRMED, async () => {
    const from = new Map([[row.logId, row.seq]]);
    const { events } = await ports.rows.eventRows({ from, limit: 1, maxBytes: WEBHOOK_PAGE.maxBytes });
    const rows = events.filter(({ logId, seq }) => logId === row.logId && seq === row.seq);
    const again = ports.webhookSending.deliveriesOf(webhook, rows, ports.clock.now().getTime());
    const one = again.filter((each) => each.id === deliveryId);
    await ports.deliveries.queue(id, one);
    return one.length;
  });
  if (queued.kind === "problem") return queued;
  if (queued.value > 0) return { kind: "ok", value: { queued: queued.value, next_cursor: null } };
  return refuse("conflict", "The row of the event was removed, or the webhook takes such events no more.");
}

/** Delivers the events of a time again, or those whose deliveries are dead. */
export async function replayWebhook(
  ports: ReplayPorts,
  principal: Principal,
  { id, since, until, status, cursor }: WebhookReplay & { readonly id: string },
): Promise<Outcome<WebhookReplayAnswer>> {
  const nowMs = ports.clock.now().getTime();
  const range = { sinceMs: since, untilMs: until ?? nowMs };
  const start = cursor === undefined ? null : readCursor(cursor);
  if (start?.kind === "problem") return start;
  const asked = await audited(ports, principal, id);
  if (asked.kind === "problem") return asked;
  const webhook = { org: principal.org, record: asked.value };
  return callStore(ports, NOT_CONFIRMED, async () => {
    if (status === "dead")
      return { queued: await ports.deliveries.queueDead(id, { ...range, nowMs }), next_cursor: null };
    const from = start?.value ?? (await positionsAt(ports.rows, range.sinceMs));
    return forRange(ports, { webhook, from, range, nowMs }, (found) => ports.deliveries.queue(id, found));
  });
}

/** Says how many would be delivered again. It changes nothing, and so leaves no row. */
export async function tryReplay(
  ports: ReplayPorts,
  { org }: Principal,
  { id, since, until, status, cursor }: WebhookReplay & { readonly id: string },
): Promise<Outcome<WebhookReplayDryRun>> {
  const nowMs = ports.clock.now().getTime();
  const range = { sinceMs: since, untilMs: until ?? nowMs };
  const start = cursor === undefined ? null : readCursor(cursor);
  if (start?.kind === "problem") return start;
  const read = await readWebhook(ports, org, id);
  if (read.kind === "problem") return read;
  if (read.value.disabled_at !== null) return isDisabled(id);
  const webhook = { org, record: read.value };
  return callStore(ports, NOT_READ, async () => {
    const counted =
      status === "dead"
        ? { queued: await countDead(ports, id, range), next_cursor: null }
        : await forRange(
            ports,
            { webhook, from: start?.value ?? (await positionsAt(ports.rows, since)), range, nowMs },
            async () => undefined,
          );
    return { dry_run: true as const, ...counted };
  });
}

interface ReplayedRange {
  readonly webhook: OwnedWebhook;
  readonly from: LogPositions;
  readonly range: DeliveryRange;
  readonly nowMs: number;
}

/** Does it with the deliveries of a range, as far as one request looks. */
async function forRange(
  ports: Pick<ReplayPorts, "rows" | "webhookSending">,
  { webhook, range, nowMs, ...start }: ReplayedRange,
  act: (found: readonly WaitingDelivery[]) => Promise<void>,
): Promise<WebhookReplayAnswer> {
  let { from } = start;
  let queued = 0;
  for (let read = 0; read < MAX_REPLAYED_EVENT_ROWS; read += WEBHOOK_PAGE.limit) {
    const page = await ports.rows.eventRows({ from, ...WEBHOOK_PAGE });
    const found = ports.webhookSending
      .deliveriesOf(webhook, page.events, nowMs)
      .filter(({ eventAtMs }) => eventAtMs >= range.sinceMs && eventAtMs < range.untilMs);
    if (found.length > 0) await act(found);
    queued += found.length;
    if (isAtEnd(page)) return { queued, next_cursor: null };
    from = positionsAfter(page);
  }
  return { queued, next_cursor: writeCursor(from) };
}

/** Few enough are kept to read all of them. */
async function countDead(
  { deliveries }: Pick<ReplayPorts, "deliveries">,
  id: string,
  { sinceMs, untilMs }: DeliveryRange,
): Promise<number> {
  let count = 0;
  for (let after: string | null = null; ; ) {
    const page = await deliveries.waiting(id, { isDead: true, sinceMs }, { limit: MAX_PAGE_SIZE, after });
    if (page === "bad_cursor") throw new TypeError("the store refuses its own cursor");
    count += page.items.filter(({ eventAtMs }) => eventAtMs < untilMs).length;
    if (page.next === null) return count;
    after = page.next;
  }
}

/** The endpoint, with a row that says who had events delivered again. A disabled one gets nothing. */
async function audited(
  ports: ChangePorts,
  principal: Principal,
  id: string,
): Promise<Outcome<WebhookRecord>> {
  const plan = (record: WebhookRecord) =>
    record.disabled_at === null ? ({ kind: "replace", action: "replayed", record } as const) : isDisabled(id);
  return changeWebhook(ports, principal, { id, plan });
}

function isDisabled(id: string): Refusal {
  const fix = `PATCH webhooks/${id} {"enabled": true}`;
  return refuse("conflict", `Webhook ${id} is disabled. Enable it first: ${fix}.`);
}

function writeCursor(positions: LogPositions): string {
  return Buffer.from(JSON.stringify(Object.fromEntries(positions))).toString("base64url");
}

function readCursor(text: string): Refusal | { readonly kind: "positions"; readonly value: LogPositions } {
  try {
    const value = parseJson(Buffer.from(text, "base64url").toString());
    const positions = typeof value === "object" && value !== null ? Object.entries(value) : [];
    const isPosition = (entry: [string, unknown]): entry is [string, number] =>
      Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0;
    if (positions.length > 0 && positions.every(isPosition))
      return { kind: "positions", value: new Map(positions) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return refuseCursor(text);
}
