import { parseRowText } from "@svc/audit-log/parse-row-text";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { RecordedCallStore } from "@svc/store/ports/recorded-call-store";

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Milliseconds that the process must have run, or that a row must lie back, before the clock of the start
 * counts as right: so long has an operator to notice a wrong one.
 */
export const CLOCK_PROBATION_MS = DAY_MS;

/** Milliseconds that a row may lie back to witness that the clock is right: a week may be idle. */
const WITNESS_MAX_AGE_MS = 8 * DAY_MS;

export interface WitnessStores {
  readonly recordedCalls: Pick<RecordedCallStore, "ends" | "firstAt">;
  readonly audit: Pick<AuditStore, "row">;
}

/**
 * What the logs say about a time that a clock shows. `witnessed`: some row was written between one and eight
 * days before. `harmless`: no row is old by this time. `doubtful`: rows are old, and no row witnesses: the
 * clock may be years ahead, so that the rows of before are too old and its own too young.
 */
export type ClockJudgement = "witnessed" | "harmless" | "doubtful";

/** @param days that every row is kept */
export async function judgeClock(
  stores: WitnessStores,
  { nowMs, days }: { readonly nowMs: number; readonly days: number },
): Promise<ClockJudgement> {
  const { recordedCalls, audit } = stores;
  let judgement: ClockJudgement = "harmless";
  for (const { logId, size } of await recordedCalls.ends()) {
    const firstSince = async (ageMs: number): Promise<number> =>
      recordedCalls.firstAt({ logId, from: 0, end: size }, new Date(nowMs - ageMs).toISOString());
    const seq = await firstSince(WITNESS_MAX_AGE_MS);
    const row = seq < size ? await audit.row({ logId, seq }) : null;
    const ageMs = row === null ? Number.NaN : nowMs - timeOf(row.bytes);
    if (ageMs >= CLOCK_PROBATION_MS && ageMs <= WITNESS_MAX_AGE_MS) return "witnessed";
    if ((await firstSince(days * DAY_MS)) > 0) judgement = "doubtful";
  }
  return judgement;
}

/** NaN for a row whose time cannot be read. */
function timeOf(bytes: Uint8Array): number {
  const reading = parseRowText(Buffer.from(bytes).toString("utf8"));
  return reading.kind === "row" && typeof reading.row.time === "string"
    ? Date.parse(reading.row.time)
    : Number.NaN;
}
