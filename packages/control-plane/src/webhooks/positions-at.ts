import type { AuditStore } from "@svc/store/ports/audit-store";
import type { LogPositions } from "@svc/store/ports/event-rows";
import { parseJson } from "@svc/text/parse-json";

/** Milliseconds by which rows of one log may stand in another order than their times. */
const DISORDER_MS = 60_000;

/** Bytes of one row that is read for its time. */
const ROW_BYTES = 1;

/** Where each log begins to have rows of a time. Some rows behind it may be earlier, and none is left out. */
export async function positionsAt(
  rows: Pick<AuditStore, "eventRows">,
  timeMs: number,
): Promise<LogPositions> {
  const { sizes } = await rows.eventRows({ from: new Map(), limit: 0, maxBytes: ROW_BYTES });
  const starts = new Map<string, number>();
  for (const [logId, size] of sizes) {
    let [low, high] = [0, size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { events } = await rows.eventRows({
        from: new Map([[logId, middle]]),
        limit: 1,
        maxBytes: ROW_BYTES,
      });
      const row = events[0] === undefined ? null : (parseJson(events[0].data) as { readonly time: string });
      // A row that cannot be read says nothing, so the search goes on before it.
      const isBefore = row !== null && Date.parse(row.time) < timeMs - DISORDER_MS;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    starts.set(logId, low);
  }
  return starts;
}
