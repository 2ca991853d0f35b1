import type { LogRange, ReplayOrder, ReplayReply, RowPage } from "@svc/policy-analysis/replay-exchange";
import type { RecordedCallStore } from "@svc/store/ports/recorded-call-store";

/** The thread that works on recorded rows. Rejects when it was lost, with all work on it. */
export interface RowThread {
  begin(order: ReplayOrder): Promise<ReplayReply>;
  /** Hands over the rows that were needed. */
  rows(id: string, logId: string, page: RowPage): Promise<ReplayReply>;
  goOn(id: string): Promise<ReplayReply>;
  drop(id: string): Promise<void>;
}

export interface RowWorkParts {
  readonly thread: RowThread;
  readonly recordedCalls: Pick<RecordedCallStore, "page">;
  /** Called between two pages, with how many rows were read. False ends the work. */
  readonly goesOn: (rowsRead: number) => Promise<boolean>;
}

export type RowWorkEnd =
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "stopped" };

/**
 * Reads the rows of an order page by page, and lets the thread work on them. While it works on a page of a
 * log, the following one is read, and none after it: the thread has the lowest priority.
 */
export async function workOnRows(parts: RowWorkParts, order: ReplayOrder): Promise<RowWorkEnd> {
  const { thread, recordedCalls, goesOn } = parts;
  const ends = new Map(order.logs.map(({ logId, end }) => [logId, end]));
  const readAhead = new Map<string, RowPage>();
  const read = async (logId: string, from: number): Promise<RowPage> =>
    recordedCalls.page({ logId, from, end: ends.get(logId) ?? from });
  const readFollowing = async (logId: string, { from, lengths }: RowPage): Promise<void> => {
    const next = from + lengths.length;
    if (next === from || next >= (ends.get(logId) ?? next)) readAhead.delete(logId);
    else readAhead.set(logId, await read(logId, next));
  };
  let reply = await thread.begin(order);
  for (;;) {
    if (reply.kind === "done" || reply.kind === "refused") return reply;
    if (!(await goesOn(reply.rowsRead))) {
      await thread.drop(order.id);
      return { kind: "stopped" };
    }
    if (reply.kind === "more") reply = await thread.goOn(order.id);
    else {
      const { logId, from } = reply;
      const page = readAhead.get(logId) ?? (await read(logId, from));
      [reply] = await Promise.all([thread.rows(order.id, logId, page), readFollowing(logId, page)]);
    }
  }
}

/** Which rows of which logs hold a range of time, and how many there are. */
export async function rangesOf(
  store: Pick<RecordedCallStore, "ends" | "firstAt">,
  { since, until }: { readonly since: string; readonly until: string | null },
): Promise<{ readonly logs: readonly LogRange[]; readonly rows: number }> {
  const logs: LogRange[] = [];
  for (const { logId, size } of await store.ends()) {
    const from = await store.firstAt({ logId, from: 0, end: size }, since);
    const end = until === null ? size : await store.firstAt({ logId, from, end: size }, until);
    if (from < end) logs.push({ logId, from, end });
  }
  const sorted = logs.toSorted((one, other) => (one.logId < other.logId ? -1 : 1));
  return { logs: sorted, rows: sorted.reduce((sum, { from, end }) => sum + end - from, 0) };
}
