import { sendsRows } from "@svc/contract/integration-kinds";
import { MAX_UNSENT_ROWS } from "@svc/contract/integration-limits";
import type { IntegrationHealth, IntegrationRecord } from "@svc/contract/integration-record";
import { newIntegrationCourse } from "@svc/store/ports/integration-courses";
import { callStore, NOT_READ } from "../call-store.ts";
import type { Outcome } from "../refusal.ts";
import { isAtEnd, positionsAfter, timeOf } from "../webhooks/webhook-health.ts";
import type { IntegrationPorts } from "./integration-ports.ts";

/** Rows of one read, as count, and bytes of them. */
const PAGE = { limit: 500, maxBytes: 512 * 1024 };

interface Unsent {
  readonly count: number;
  readonly oldestMs: number | null;
  readonly isComplete: boolean;
}

type HealthPorts = Pick<IntegrationPorts, "clock" | "log" | "integrationCourses" | "rows">;

/** How an integration fares, and what its receiver has not confirmed. Null: nothing is sent to it. */
export async function integrationHealth(
  ports: HealthPorts,
  org: string,
  { id, settings, disabled_at }: IntegrationRecord,
): Promise<Outcome<IntegrationHealth | null>> {
  if (!sendsRows(settings.kind)) return { kind: "ok", value: null };
  return callStore(ports, NOT_READ, async () => {
    const stored = await ports.integrationCourses.course(id);
    const course = stored?.course ?? newIntegrationCourse(new Map());
    const unsent = await unsentOf(ports, org, course.positions);
    const lagMs = unsent.oldestMs === null ? 0 : ports.clock.now().getTime() - unsent.oldestMs;
    const working = course.failures > 0 ? "failing" : "healthy";
    return {
      state: disabled_at === null ? working : "disabled",
      failures: course.failures,
      failing_since: timeOf(course.failingSinceMs),
      last_error: course.lastError,
      last_success_at: timeOf(course.lastSuccessAtMs),
      last_failure_at: timeOf(course.lastFailureAtMs),
      next_attempt_at: timeOf(course.retryAtMs),
      rows_sent: course.rowsSent,
      rows_lost: course.rowsLost,
      unsent: unsent.count,
      unsent_is_complete: unsent.isComplete,
      oldest_unsent_at: timeOf(unsent.oldestMs),
      lag_seconds: Math.max(0, Math.round(lagMs / 1_000)),
    };
  });
}

/** A course that passes rows of others is stored only now and then, so the rows behind it are read. */
async function unsentOf(
  { rows }: Pick<HealthPorts, "rows">,
  org: string,
  positions: ReadonlyMap<string, number>,
): Promise<Unsent> {
  let from = positions;
  let count = 0;
  let oldestMs: number | null = null;
  for (let read = 0; read < MAX_UNSENT_ROWS; read += PAGE.limit) {
    const page = await rows.forwardedRows({ from, ...PAGE, org, format: "rows" });
    count += page.rows.length;
    for (const { timeMs } of page.rows) oldestMs = Math.min(oldestMs ?? timeMs, timeMs);
    from = positionsAfter(page);
    if (isAtEnd(page)) return { count, oldestMs, isComplete: true };
  }
  return { count, oldestMs, isComplete: false };
}
