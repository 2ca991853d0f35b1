import type { WebhookHealth } from "@svc/contract/webhook-delivery";
import { MAX_PENDING_ROWS } from "@svc/contract/webhook-limits";
import { type DeliveryCourse, newCourse } from "@svc/store/ports/delivery-store";
import type { EventPage } from "@svc/store/ports/event-rows";
import { callStore, NOT_READ } from "../call-store.ts";
import type { Outcome } from "../refusal.ts";
import type { WebhookPorts } from "./webhook-ports.ts";
import type { OwnedWebhook } from "./webhook-sending.ts";

/** Rows of one read, as count, and bytes of them. */
export const WEBHOOK_PAGE = { limit: 500, maxBytes: 512 * 1024 } as const;

type HealthPorts = Pick<WebhookPorts, "clock" | "log" | "deliveries" | "rows" | "webhookSending">;

interface Unsent {
  readonly count: number;
  readonly oldestMs: number | null;
  readonly isComplete: boolean;
}

/** How an endpoint fares, and what it has not got yet. */
export async function webhookHealth(
  ports: HealthPorts,
  webhook: OwnedWebhook,
): Promise<Outcome<WebhookHealth>> {
  const { id, disabled_at } = webhook.record;
  return callStore(ports, NOT_READ, async () => {
    const course = (await ports.deliveries.course(id))?.course ?? newCourse(new Map());
    const counts = await ports.deliveries.counts(id);
    const unsent = await unsentOf(ports, webhook, course);
    const oldest = [counts.oldestAtMs, unsent.oldestMs].filter((each) => each !== null);
    return {
      state: disabled_at === null ? stateOf(course) : "disabled",
      failures: course.failures,
      last_success_at: timeOf(course.lastSuccessAtMs),
      last_failure_at: timeOf(course.lastFailureAtMs),
      next_probe_at: timeOf(course.probeAtMs),
      pending: counts.waiting + unsent.count,
      pending_is_complete: unsent.isComplete,
      oldest_undelivered_at: oldest.length === 0 ? null : timeOf(Math.min(...oldest)),
      dead: counts.dead,
      rows_lost: course.rowsLost,
    };
  });
}

export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function stateOf({ probeAtMs, failures }: DeliveryCourse): "healthy" | "failing" | "suspended" {
  if (probeAtMs !== null) return "suspended";
  return failures > 0 ? "failing" : "healthy";
}

/** A course that passes rows without events is stored only now and then, so the rows behind it are read. */
async function unsentOf(
  { clock, rows, webhookSending }: HealthPorts,
  webhook: OwnedWebhook,
  { positions }: DeliveryCourse,
): Promise<Unsent> {
  const nowMs = clock.now().getTime();
  let from = positions;
  let count = 0;
  let oldestMs: number | null = null;
  for (let read = 0; read < MAX_PENDING_ROWS; read += WEBHOOK_PAGE.limit) {
    const page = await rows.eventRows({ from, ...WEBHOOK_PAGE });
    const found = webhookSending.deliveriesOf(webhook, page.events, nowMs);
    count += found.length;
    for (const { eventAtMs } of found) oldestMs = Math.min(oldestMs ?? eventAtMs, eventAtMs);
    from = positionsAfter(page);
    if (isAtEnd(page)) return { count, oldestMs, isComplete: true };
  }
  return { count, oldestMs, isComplete: false };
}

/** Where the next page starts, for logs that the page did not know of, too. */
export function positionsAfter({
  next,
  sizes,
}: Pick<EventPage, "next" | "sizes">): ReadonlyMap<string, number> {
  return new Map([...[...sizes.keys()].map((logId) => [logId, 0] as const), ...next]);
}

export function isAtEnd({ next, sizes }: Pick<EventPage, "next" | "sizes">): boolean {
  return [...sizes].every(([logId, size]) => (next.get(logId) ?? 0) >= size);
}
