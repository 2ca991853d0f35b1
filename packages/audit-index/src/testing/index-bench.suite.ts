import type { Store } from "@svc/store/ports/store";
import { entry } from "@svc/store/testing/records";
import { onTestFinished } from "vitest";
import type { AuditQueries } from "../ask/audit-queries.ts";
import { openQuestionSession } from "../ask/open-question-session.ts";
import type { RowRange } from "../audit-answers.ts";
import { AnomalyBuffer } from "../behaviour/anomaly-buffer.ts";
import { openProjectorSession } from "../fill/open-projector-session.ts";
import type { IndexPlace } from "../index-place.ts";

/** An empty store, where its index belongs, and how rows get in past the service. */
export interface IndexSubject {
  readonly store: Store;
  readonly place: IndexPlace;
}

export interface IndexBench {
  readonly store: Store;
  readonly queries: AuditQueries;
  /** Indexes everything that is committed. */
  readonly index: () => Promise<void>;
  readonly forget: (range: RowRange) => Promise<void>;
  readonly add: (...rows: readonly string[]) => Promise<void>;
}

/** The parts of an index as its threads compose them, in this thread. They end with the test. */
export async function indexBench(open: () => Promise<IndexSubject>): Promise<IndexBench> {
  const { store, place } = await open();
  const writer = await openProjectorSession(place, new AnomalyBuffer());
  if (writer === null) throw new Error("another projector holds the lock");
  const index = async (): Promise<void> => {
    while (await writer.projector.step());
  };
  await index();
  // Time passes with each look, so that a question that waits in vain ends at once.
  let ms = 0;
  const sleep = async (): Promise<void> => Promise.resolve(void (ms += 1_000));
  const reader = openQuestionSession(place, { sleep, nowMs: () => ms });
  onTestFinished(async () => {
    reader.close();
    await writer.close();
    await store.close();
  });
  const add = async (...rows: readonly string[]): Promise<void> => {
    const outcomes = await store.ledger.commit(rows.map((row) => entry(row)));
    if (outcomes.some(({ kind }) => kind !== "committed")) throw new Error("a row was not committed");
  };
  const forget = async (range: RowRange): Promise<void> => writer.projector.forget(range);
  return { store, queries: reader.queries, index, forget, add };
}
