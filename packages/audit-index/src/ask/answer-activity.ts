import { DECISIONS, type Decision } from "@svc/contract/verdict";
import type { StoredRow } from "@svc/store/ports/audit-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import { type RowFacts, readFacts } from "../read-facts.ts";
import type { Activity, NamedCalls, SampleCall } from "./activity.ts";
import { ArgumentSums } from "./argument-sums.ts";
import {
  type ActivityQuery,
  type CallGroup,
  callsOf,
  type NewestCall,
  readActivity,
} from "./read-activity.ts";
import type { RowSources } from "./row-sources.ts";

/** Tools, sessions and rules that an answer names, as count of each: those with most calls. */
const MAX_NAMED = 20;

/** Samples of each tool and decision, as count. */
const SAMPLES_OF_EACH = 2;

/** Samples of one answer, as count. */
const MAX_SAMPLES = 20;

/** Rows read at once, as count. */
const ROWS_PER_READ = 50;

/** Bytes of rows whose arguments are read: 8 MiB, which take a tenth of a second to parse. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** What one agent did in a time. Names, arguments and samples come from the rows themselves. */
export async function answerActivity(sources: RowSources, query: ActivityQuery): Promise<Activity> {
  const { total, tools, sessions, verdicts, newest, complete } = await readActivity(sources.database, query);
  return {
    total,
    tools: await named(sources, query, tools),
    sessions: await named(sources, query, sessions),
    verdicts: await named(sources, query, verdicts),
    ...(await readNewest(sources, query, newest)),
    complete,
  };
}

async function named(
  sources: RowSources,
  query: ActivityQuery,
  groups: readonly CallGroup[],
): Promise<Activity["tools"]> {
  const shown = groups.slice(0, MAX_NAMED);
  const rows = await rowsAt(sources, query, shown);
  const found = shown.flatMap((group): NamedCalls[] => {
    const row = rows.get(group.place);
    if (row === undefined) return [];
    const { decisions, withdrawn, firstAt, lastAt } = group;
    return [{ decisions, withdrawn, firstAt, lastAt, text: row.text }];
  });
  return { named: found, leftOut: groups.slice(MAX_NAMED).reduce((sum, group) => sum + callsOf(group), 0) };
}

/** Adds up the arguments of the newest calls, and takes samples of them. */
async function readNewest(
  sources: RowSources,
  query: ActivityQuery,
  newest: readonly NewestCall[],
): Promise<Pick<Activity, "arguments" | "argumentsLeftOut" | "samples" | "readCalls">> {
  const sums = new ArgumentSums();
  const samples: SampleCall[] = [];
  const sampled = new Map<string, number>();
  let bytes = 0;
  let readCalls = 0;
  for (let from = 0; from < newest.length && bytes < MAX_READ_BYTES; from += ROWS_PER_READ) {
    const chunk = newest.slice(from, from + ROWS_PER_READ);
    const rows = await rowsAt(sources, query, chunk);
    for (const { place, withdrawn } of chunk) {
      const found = rows.get(place);
      if (found === undefined) continue;
      const { facts, text, position } = found;
      bytes += text.length;
      readCalls += 1;
      const tool = facts.tool ?? "";
      const decision = withdrawn ? "deny" : decisionIn(facts);
      sums.add({ tool, decision, args: facts.row["args"] ?? null });
      const key = `${decision}\0${tool}`;
      const taken = sampled.get(key) ?? 0;
      if (taken >= SAMPLES_OF_EACH || samples.length >= MAX_SAMPLES) continue;
      sampled.set(key, taken + 1);
      samples.push({ position, text, withdrawn });
    }
  }
  const { sums: found, leftOut } = sums.result();
  return { arguments: found, argumentsLeftOut: leftOut, samples, readCalls };
}

interface ReadRow {
  readonly position: RowPosition;
  readonly facts: RowFacts;
  readonly text: string;
}

/** The calls in some rows by place, without rows that are not calls of this agent. */
async function rowsAt(
  { audit, positionAt }: RowSources,
  { org, agentId }: ActivityQuery,
  entries: readonly { readonly place: number }[],
): Promise<ReadonlyMap<number, ReadRow>> {
  const rows = await audit.rowsAt(entries.map(({ place }) => positionAt(place)));
  const byPosition = new Map(rows.map((row) => [positionText(row), row]));
  return new Map(
    entries.flatMap(({ place }): [number, ReadRow][] => {
      const row = byPosition.get(positionText(positionAt(place)));
      const facts = row === undefined ? null : readFacts(row.bytes);
      const isCall = facts?.org === org && facts.agent === agentId && facts.kind === "decision";
      return row === undefined || facts === null || !isCall
        ? []
        : [[place, { position: { logId: row.logId, seq: row.seq }, facts, text: textOf(row) }]];
    }),
  );
}

function decisionIn({ decision }: RowFacts): Decision {
  return DECISIONS.find((known) => known === decision) ?? "deny";
}

function textOf({ bytes }: StoredRow): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function positionText({ logId, seq }: RowPosition): string {
  return `${logId} ${String(seq)}`;
}
