import { setTimeout } from "node:timers/promises";
import type { AuditSearch } from "@svc/audit-index/audit-answers";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { IndexPlace } from "@svc/audit-index/index-place";
import { openAuditIndex } from "@svc/audit-index/open-audit-index";
import { ANY_AUDIT_ROW, type AuditFilter } from "@svc/contract/audit-query";
import { systemClock } from "@svc/process/clock";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { Store } from "@svc/store/ports/store";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import { atMost, type Figure, type Findings, figure } from "../figure.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { quantile } from "../statistics.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { questionRowText, RARE } from "./question-row-text.ts";

const LOG_ID = "gw-bench";

/** Rows of one commit, as count. */
const ROWS_PER_COMMIT = 2_000;

/** Questions of one kind in one round, as count. */
const QUESTIONS = 100;

/** Milliseconds that a list may take at p99. */
const LIMIT_MS = 50;

const PAGE = 50;

/** Milliseconds between two looks at how far the index is. */
const LOOK_MS = 200;

/** How often the progress of the index is said, as count. */
const PROGRESS_STEPS = 20;

/** What is asked, each with another name every time. */
const KINDS: Readonly<Record<string, (at: number) => Partial<AuditFilter>>> = {
  "no filter": () => ({}),
  "an agent": (at) => ({ agents: [`agent-${at % 200}`] }),
  "a session": (at) => ({ sessions: [`session-${at * 7}`] }),
  "a tool and denies": (at) => ({ tools: [`tool.${at % 50}`], decisions: ["deny"] }),
  "decisions of a policy": (at) => ({ policies: [`policy-${at % 20}`], kinds: ["decision"] }),
  "a key, and reports alone": (at) => ({ principals: [`key-${at % 10}`], kinds: ["outcome"] }),
  "a frequent key and a rare agent": (at) => ({ principals: [`key-${at % 10}`], agents: [RARE.agent] }),
  "filters that never match together": (at) => ({ tools: [`tool.${at % 50}`], rules: [`limit-${at % 40}`] }),
  "a text of some reasons": (at) => ({ text: `LIMIT-${at % 40}` }),
  "a text of no reason": (at) => ({ text: `nothing-${at}` }),
};

const TITLE = "Questions to the audit log, each answered with a page of 50 rows";

export const auditQueriesSqlite: Scenario = {
  name: "audit-queries-sqlite",
  title: `${TITLE}, SQLite`,
  run: async (bench) => {
    const dataDir = await temporaryFolder(bench.dataFolder, bench.cleanup);
    const store = await openSqliteStore({ dataDir, logId: LOG_ID });
    return measure(bench, store, { kind: "sqlite", dataDir });
  },
};

/** A server that is set up for as many rows, with a part of the memory that PostgreSQL's manual names. */
const SERVER_SETTINGS = ["shared_buffers = 2GB", "max_wal_size = 4GB", "checkpoint_timeout = 15min"];

export const auditQueriesPostgres: Scenario = {
  name: "audit-queries-postgres",
  title: `${TITLE}, PostgreSQL`,
  run: async (bench) => {
    if (findPostgresPrograms() === null)
      return { kind: "not_measured", reason: "this machine has no PostgreSQL" };
    const server = await startPostgresServer({ settings: SERVER_SETTINGS });
    bench.cleanup.defer(() => server.stop());
    const url = await server.createDatabase();
    const store = await openPostgresStore({ url, logId: LOG_ID });
    return measure(bench, store, { kind: "postgres", url });
  },
};

async function measure(bench: Bench, store: Store, place: IndexPlace): Promise<Findings> {
  bench.cleanup.defer(() => store.close());
  bench.say(`writing ${bench.rows} rows`);
  for (let from = 0; from < bench.rows; from += ROWS_PER_COMMIT) await commit(store, from, bench.rows);
  const log = {
    warn: (fields: object, message: string) => bench.say(`${message} ${JSON.stringify(fields)}`),
  };
  const index = openAuditIndex({ place, log, clock: systemClock });
  bench.cleanup.defer(() => index.close());
  const figures = [await timeIndexing(bench, index)];
  for (const [kind, filterOf] of Object.entries(KINDS)) {
    const rounds: number[] = [];
    for (let round = 0; round <= bench.rounds; round += 1) {
      const p99 = await timeQuestions(index, (at) => filterOf(at + round * QUESTIONS));
      // The first round reads the pages from the disk.
      if (round > 0) rounds.push(p99);
    }
    bench.say(`${kind}: p99 of ${rounds.map((p99) => p99.toFixed(1)).join(", ")} ms`);
    figures.push(figure(`${kind}, p99`, "ms", rounds, atMost(LIMIT_MS)));
  }
  const notes = [`${bench.rows} rows; p99 of ${QUESTIONS} questions a round`];
  return { kind: "measured", figures, notes };
}

async function timeIndexing(bench: Bench, index: AuditIndex): Promise<Figure> {
  const startedMs = performance.now();
  for (let said = 0; ; ) {
    const left = (await ask(index, {}, null)).behind.reduce(
      (sum, { indexed, size }) => sum + size - indexed,
      0,
    );
    if (left === 0) break;
    const done = bench.rows - left;
    if (done >= said) {
      bench.say(`${done} rows indexed`);
      said = done + bench.rows / PROGRESS_STEPS;
    }
    // Questions take the processor from the thread that writes the index.
    await setTimeout(LOOK_MS);
  }
  const perSecond = (bench.rows * 1_000) / (performance.now() - startedMs);
  return figure("rows indexed, by the thread of low priority", "1/s", [perSecond]);
}

async function commit(store: Store, from: number, rows: number): Promise<void> {
  const count = Math.min(ROWS_PER_COMMIT, rows - from);
  const entries = Array.from({ length: count }, (_, at) => ({
    row: questionRowText(from + at, LOG_ID),
    claims: NO_CLAIMS,
  }));
  await store.ledger.commit(entries);
}

/** A first page and the page behind it, for each filter. */
async function timeQuestions(
  index: AuditIndex,
  filterOf: (at: number) => Partial<AuditFilter>,
): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < QUESTIONS / 2; at += 1) {
    let before: AuditSearch["before"] = null;
    for (let page = 0; page < 2; page += 1) {
      const startedMs = performance.now();
      const { next, behind } = await ask(index, filterOf(at), before);
      times.push(performance.now() - startedMs);
      if (behind.length > 0) throw new Error("expected an index that has every row");
      before = next;
    }
  }
  return quantile(times, 0.99);
}

async function ask(index: AuditIndex, filter: Partial<AuditFilter>, before: AuditSearch["before"]) {
  return index.search({ org: "default", filter: { ...ANY_AUDIT_ROW, ...filter }, limit: PAGE, before });
}
