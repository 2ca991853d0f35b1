import { parseRowText, type ReadableRow } from "@svc/audit-log/parse-row-text";
import type { SeqRange } from "@svc/audit-log/removal";
import { emptyRemovalDigest, nextRemovalDigest } from "@svc/audit-log/removal-digest";
import { rowHash } from "@svc/audit-log/row-hash";
import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { StoredRow } from "../ports/audit-store.ts";
import type { Removable, RetentionFinding } from "../ports/retention-store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Days in which an outcome of an allowed call is still expected. Until then the decision is kept, because the
 * outcome is settled by it.
 */
const OUTCOME_DAYS = 30;

/** These say what was removed and why it was kept, so they stay. */
const PERMANENT_KINDS: ReadonlySet<string> = new Set(["retention", "legal_hold"]);

/** What keeps rows of one block. */
export interface RetentionRules {
  readonly days: number;
  readonly nowMs: number;
  /** Days of namespaces that keep their decisions longer, by `<org>\n<namespace>`. */
  readonly namespaceDays: ReadonlyMap<string, number>;
  /** Those in force, of every organization. */
  readonly holds: readonly (LegalHoldRecord & { readonly org: string })[];
  /** Rows that open approvals, unused grants and keys of repeated calls rest on. */
  readonly needed: ReadonlySet<number>;
  /** Decisions with an outcome. */
  readonly settled: ReadonlySet<number>;
}

/** Judges the rows of one block, ascending. Holds nothing that another process could change meanwhile. */
export function removableRows(
  logId: string,
  rows: readonly StoredRow[],
  rules: RetentionRules,
):
  | Exclude<RetentionFinding, { kind: "removable" }>
  | { kind: "removable"; removables: readonly Removable[] } {
  const byOrg = new Map<string, StoredRow[]>();
  let hasOld = false;
  let timeMs = Number.NEGATIVE_INFINITY;
  let previous: StoredRow | null = null;
  for (const row of rows) {
    if (isDamaged(row, previous)) return { kind: "damaged", seq: row.seq };
    previous = row;
    if (row.bytes.length === 0) {
      hasOld = true;
      continue;
    }
    const reading = parseRowText(Buffer.from(row.bytes).toString("utf8"));
    if (reading.kind !== "row") continue;
    // A row is not older than those before it, whatever a clock said that was set back.
    timeMs = Math.max(timeMs, Date.parse(reading.row.time));
    const ageDays = (rules.nowMs - timeMs) / DAY_MS;
    if (!(ageDays > rules.days)) continue;
    hasOld = true;
    if (isKept(reading.row, row.seq, ageDays, rules)) continue;
    byOrg.set(reading.row.org, [...(byOrg.get(reading.row.org) ?? []), row]);
  }
  if (!hasOld) return { kind: "young" };
  if (byOrg.size === 0) return { kind: "kept" };
  return { kind: "removable", removables: [...byOrg].map(([org, own]) => removable(logId, org, own)) };
}

function isDamaged({ seq, prevHash, hash, bytes }: StoredRow, previous: StoredRow | null): boolean {
  if (previous !== null && (seq !== previous.seq + 1 || !isSame(prevHash, previous.hash))) return true;
  return bytes.length > 0 && !isSame(rowHash(prevHash, bytes), hash);
}

function isKept(row: ReadableRow, seq: number, ageDays: number, rules: RetentionRules): boolean {
  if (PERMANENT_KINDS.has(row.kind) || rules.needed.has(seq)) return true;
  const { org, namespace, kind, decision } = row;
  const inNamespace = typeof namespace === "string" ? `${org}\n${namespace}` : "";
  const namespaceDays = rules.namespaceDays.get(inNamespace) ?? 0;
  if (kind === "decision" && !(ageDays > namespaceDays)) return true;
  if (decision === "allow" && !rules.settled.has(seq) && ageDays <= OUTCOME_DAYS) return true;
  return rules.holds.some((hold) => hold.org === org && covers(hold, row));
}

/** Outcomes and changes of control state name no session, so every hold of their organization covers them. */
function covers({ agent_id, session_id, namespace }: LegalHoldRecord, row: ReadableRow): boolean {
  if (row.kind !== "decision") return true;
  if (agent_id !== null && row["agent_id"] !== agent_id) return false;
  if (session_id !== null && row["session_id"] !== session_id) return false;
  return namespace === null || row["namespace"] === namespace;
}

function removable(logId: string, org: string, rows: readonly StoredRow[]): Removable {
  const ranges: SeqRange[] = [];
  let digest = emptyRemovalDigest(logId, org);
  for (const { seq, hash } of rows) {
    digest = nextRemovalDigest(digest, seq, hash);
    const last = ranges.at(-1);
    if (last?.to === seq - 1) ranges[ranges.length - 1] = { from: last.from, to: seq };
    else ranges.push({ from: seq, to: seq });
  }
  return { org, ranges, rows: rows.length, digest };
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
