import type { Applied, Finding, Judgement, Kill, Records, StoredEvent, Trace } from "./trace.ts";

/** Milliseconds by which a time of the wall clock may be off. */
const CLOCK_TOLERANCE_MS = 5;

/**
 * The control feed is ordered, unique, reliable and resumable: what each part of each process applied is
 * compared with the revision log of the database.
 */
export function judgeFeed({ applied, kills, survivors }: Trace, { events }: Records): Judgement {
  const findings: Finding[] = [...judgeLog(events)];
  const parts = Map.groupBy(applied, ({ gateway, part }) => `${gateway} ${part}`);
  for (const [name, lines] of parts) {
    const processes = [...Map.groupBy(lines, ({ process }) => process).values()];
    findings.push(
      ...processes.flatMap((own) => judgeProcess(own, events)),
      ...judgeRestarts(name, processes),
    );
  }
  findings.push(...judgeEnds(applied, survivors, events.length));
  const acknowledged = kills.flatMap((kill) => judgeAcknowledgements(kill, applied, { survivors, events }));
  return {
    findings: [...findings, ...acknowledged.flatMap(({ finding }) => finding ?? [])],
    judged: { "control changes applied": applied.length, "acknowledgements of kills": acknowledged.length },
  };
}

function judgeLog(events: readonly StoredEvent[]): Finding[] {
  const at = events.findIndex(({ revision }, index) => revision !== index + 1);
  return at === -1 ? [] : [{ rule: "revision log has a gap", detail: `at place ${String(at + 1)}` }];
}

/** One part of one process: a snapshot first, then each event that follows, once. */
function judgeProcess(own: readonly Applied[], events: readonly StoredEvent[]): Finding[] {
  return own.flatMap((line, at) => {
    const rule = ruleBroken(line, own[at - 1]) ?? differs(line, events);
    if (rule === null) return [];
    const { process, part, revision, by } = line;
    return [{ rule, detail: `${process}, ${part}: ${by} ${String(revision)} at line ${String(at)}` }];
  });
}

function ruleBroken({ by, revision }: Applied, before: Applied | undefined): string | null {
  if (before === undefined) return by === "snapshot" ? null : "resumable: an event before any snapshot";
  if (by === "snapshot") return revision < before.revision ? "ordered: a snapshot goes back" : null;
  if (revision === before.revision) return "unique: an event was applied twice";
  if (revision < before.revision) return "ordered: an event goes back";
  return revision > before.revision + 1 ? "reliable: an event was left out" : null;
}

function differs({ by, revision, change }: Applied, events: readonly StoredEvent[]): string | null {
  if (revision > events.length) return "ordered: a revision that is not in the log";
  return by === "event" && events[revision - 1]?.kind !== change
    ? "reliable: another event than the log's"
    : null;
}

/** A gateway that starts again begins at what it had applied, or later. */
function judgeRestarts(name: string, processes: readonly (readonly Applied[])[]): Finding[] {
  return processes.flatMap((own, at) => {
    const before = processes[at - 1]?.at(-1)?.revision ?? 0;
    const first = own[0]?.revision ?? 0;
    if (first >= before) return [];
    return [
      { rule: "resumable: a restart goes back", detail: `${name}: ${String(before)} to ${String(first)}` },
    ];
  });
}

/** A process that runs to the end has applied everything. */
function judgeEnds(applied: readonly Applied[], survivors: readonly string[], head: number): Finding[] {
  return survivors.flatMap((process) => {
    const parts = Map.groupBy(
      applied.filter((line) => line.process === process),
      ({ part }) => part,
    );
    if (parts.size === 0) return [{ rule: "reliable: nothing was applied", detail: process }];
    return [...parts].flatMap(([part, lines]) =>
      lines.at(-1)?.revision === head
        ? []
        : [{ rule: "reliable: the last events are missing", detail: `${process}, ${part}` }],
    );
  });
}

interface FeedRecords {
  readonly survivors: readonly string[];
  readonly events: readonly StoredEvent[];
}

/** A gateway has applied what it acknowledges. A process that was killed may have logged less than it did. */
function judgeAcknowledgements(
  { switchId, gateways, answeredMs }: Kill,
  applied: readonly Applied[],
  { survivors, events }: FeedRecords,
): { readonly finding: Finding | null }[] {
  const revision =
    events.find(({ activates }) => activates === switchId)?.revision ?? Number.POSITIVE_INFINITY;
  return gateways.flatMap(({ id, isAcknowledged }) => {
    const lines = applied.filter(({ gateway, part }) => gateway === id && part === "gateway");
    const isComplete = lines.some(
      ({ loggedMs, process }) => loggedMs > answeredMs + CLOCK_TOLERANCE_MS || survivors.includes(process),
    );
    if (!isAcknowledged || !isComplete) return [];
    const untilMs = answeredMs + CLOCK_TOLERANCE_MS;
    const has = lines.some((line) => line.loggedMs <= untilMs && line.revision >= revision);
    const detail = `${id} acknowledged ${switchId}, revision ${String(revision)}`;
    return [{ finding: has ? null : { rule: "reliable: acknowledged, not applied", detail } }];
  });
}
