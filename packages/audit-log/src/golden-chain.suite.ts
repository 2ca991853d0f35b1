import { createPrivateKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { AuditRow, DecisionRow } from "@svc/contract/audit-row";
import { signCheckpoint } from "./checkpoint.ts";
import { signExcerpt } from "./excerpt/excerpt.ts";
import { emptyExcerptDigest, nextExcerptDigest } from "./excerpt/excerpt-digest.ts";
import { type ExcerptLine, renderExcerptLine } from "./excerpt/excerpt-line.ts";
import { fitsFilter, NO_FILTER, type RowFilter } from "./excerpt/row-filter.ts";
import { type ExportLine, renderExportLine } from "./export-line.ts";
import type { VerifiableRow } from "./log-verifier.ts";
import { type NoteSigner, parseSigner, renderVerifierKey } from "./note-key.ts";
import { parseRowText } from "./parse-row-text.ts";
import { type SeqRange, signRemoval } from "./removal/removal.ts";
import { emptyRemovalDigest, nextRemovalDigest } from "./removal/removal-digest.ts";
import { genesisHash, rowHash } from "./row-hash.ts";
import { rowText } from "./row-text.ts";

/** PKCS #8 header of an Ed25519 private key; its 32-byte seed follows. */
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

/** A signer made from a public seed: for tests, and worth nothing as a secret. */
export function testSigner(name: string, seed: number): NoteSigner {
  const der = Buffer.concat([PKCS8_ED25519, Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return parseSigner(name, key.export({ type: "pkcs8", format: "pem" }).toString());
}

export const GOLDEN_LOG_ID = "gw-golden";
export const goldenSigner = testSigner("svc-golden", 7);

/** The chain of the given rows. */
export function chain(logId: string, texts: readonly string[]): readonly VerifiableRow[] {
  let prevHash = genesisHash(logId);
  return texts.map((text, seq) => {
    const bytes = Buffer.from(text);
    const row = { logId, seq, prevHash, hash: rowHash(prevHash, bytes), bytes };
    prevHash = row.hash;
    return row;
  });
}

/** A note over the first `size` rows. */
export function checkpointOf(rows: readonly VerifiableRow[], size: number, signer = goldenSigner): string {
  const logId = rows[0]?.logId ?? GOLDEN_LOG_ID;
  return signCheckpoint(signer, { logId, size, hash: rows[size - 1]?.hash ?? genesisHash(logId) });
}

const COMMON = { v: 1, org: "acme", principal: "key-1" } as const;
const DIGEST = `hmac-sha256:${"0123456789abcdef".repeat(4)}`;

export function decisionSample(index: number): DecisionRow {
  const denied = index % 5 === 3;
  return {
    ...COMMON,
    kind: "decision",
    time: new Date(Date.UTC(2026, 10, 2, 9, 0, index)).toISOString(),
    namespace: "payments",
    agent_id: `agent-${index % 3}`,
    session_id: index % 4 === 0 ? null : "sess-1",
    tool: denied ? "stripe.refund" : "db/query",
    args: {
      amount: index * 100,
      note: 'Zürich \u2028 "quoted" 🦊 \u0007',
      where: { id: [index, null, true, 0.5] },
    },
    args_digest: DIGEST,
    call_digest: DIGEST,
    shaped_args_digest: index % 7 === 2 ? DIGEST : null,
    decision: denied ? "deny" : "allow",
    would_be:
      index % 6 === 1 ? { decision: "deny", reason: "too much", reason_code: "rule", rule_id: "r-2" } : null,
    mode: "enforcement",
    reason: denied ? "refunds need a person" : null,
    reason_code: denied ? "rule" : null,
    rule_id: denied ? "no-refunds" : null,
    policy_id: "refund-policy",
    policy_version: 3,
    approval_id: null,
    kill_switch_id: null,
    trigger_source: null,
    cost_usd: "0.01",
    steps: 1,
    fail_closed: false,
    latency_us: 850 + index,
  };
}

function goldenRow(index: number): AuditRow {
  const time = new Date(Date.UTC(2026, 10, 2, 9, 0, index)).toISOString();
  if (index === 10) return { ...COMMON, kind: "key", time, action: "created", key_id: "key-2" };
  if (index % 9 !== 8) return decisionSample(index);
  return {
    ...COMMON,
    kind: "outcome",
    time,
    decision_id: `${GOLDEN_LOG_ID}.${index - 1}`,
    status: "succeeded",
    cost_usd: "0.02",
    overage_usd: "0.01",
    duration_ms: 12,
  };
}

/** Three dozen rows, signed after rows 12, 24 and 36. */
export const GOLDEN_ROWS = 36;
export const GOLDEN_SIZES: readonly number[] = [12, 24, 36];

export function goldenRows(): readonly VerifiableRow[] {
  return chain(
    GOLDEN_LOG_ID,
    Array.from({ length: GOLDEN_ROWS }, (_, index) => rowText(goldenRow(index))),
  );
}

export function goldenLines(): readonly ExportLine[] {
  const rows = goldenRows();
  const body = rows.flatMap((row): ExportLine[] => {
    const size = row.seq + 1;
    if (!GOLDEN_SIZES.includes(size)) return [{ kind: "row", row }];
    return [
      { kind: "row", row },
      { kind: "checkpoint", logId: row.logId, note: checkpointOf(rows, size) },
    ];
  });
  return [
    { kind: "header" },
    ...body,
    { kind: "end", counts: { rows: rows.length, checkpoints: GOLDEN_SIZES.length, removals: 0 } },
  ];
}

const GOLDEN_FILTER: RowFilter = {
  agentId: "agent-0",
  kind: "decision",
  since: "2026-11-02T09:00:05.000Z",
  until: "2026-11-02T09:00:25.000Z",
};

/** The rows of `acme` in a log where every third row belongs to another organization. */
function goldenExcerpt(filter: RowFilter): readonly ExcerptLine[] {
  const log = chain(
    GOLDEN_LOG_ID,
    Array.from({ length: GOLDEN_ROWS }, (_, index) =>
      rowText({ ...goldenRow(index), org: isShown(index) ? "acme" : "other" }),
    ),
  );
  const shown = log.filter(({ seq, bytes }) => {
    const reading = parseRowText(Buffer.from(bytes).toString());
    return isShown(seq) && reading.kind === "row" && fitsFilter(filter, reading.row);
  });
  const excerpt = {
    logId: GOLDEN_LOG_ID,
    org: "acme",
    size: log.length,
    head: log.at(-1)?.hash ?? genesisHash(GOLDEN_LOG_ID),
    rows: shown.length,
    digest: shown.reduce(
      (digest, { seq, bytes }) => nextExcerptDigest(digest, seq, bytes),
      emptyExcerptDigest(GOLDEN_LOG_ID, "acme"),
    ),
    filter,
    removed: 0,
  };
  return [
    { kind: "header", org: "acme", filter },
    ...shown.map((row): ExcerptLine => ({ kind: "row", row })),
    { kind: "excerpt", logId: GOLDEN_LOG_ID, note: signExcerpt(goldenSigner, excerpt) },
    { kind: "end", counts: { rows: shown.length, excerpts: 1 } },
  ];
}

const isShown = (seq: number): boolean => seq % 3 !== 1;

const GOLDEN_RANGES: readonly SeqRange[] = [
  { from: 0, to: 9 },
  { from: 11, to: 16 },
];

/** The golden log after retention removed some of its rows. */
function goldenRemovedLines(): readonly ExportLine[] {
  const isRemoved = (seq: number): boolean => GOLDEN_RANGES.some(({ from, to }) => from <= seq && seq <= to);
  const gone = goldenRows().filter(({ seq }) => isRemoved(seq));
  const removal = {
    logId: GOLDEN_LOG_ID,
    org: "acme",
    ranges: GOLDEN_RANGES,
    digest: gone.reduce(
      (digest, { seq, hash }) => nextRemovalDigest(digest, seq, hash),
      emptyRemovalDigest(GOLDEN_LOG_ID, "acme"),
    ),
    removedAt: "2027-11-03T00:00:00.000Z",
    days: 365,
  };
  const lines = goldenLines().map((line) =>
    line.kind === "row" && isRemoved(line.row.seq)
      ? { ...line, row: { ...line.row, bytes: new Uint8Array() } }
      : line,
  );
  const counts = { rows: GOLDEN_ROWS, checkpoints: GOLDEN_SIZES.length, removals: 1 };
  return [
    ...lines.slice(0, -1),
    { kind: "removal", logId: GOLDEN_LOG_ID, note: signRemoval(goldenSigner, removal) },
    { kind: "end", counts },
  ];
}

/** The golden files by name; `node src/golden-chain.suite.ts` writes them to `testdata`. */
export function goldenFiles(): Readonly<Record<string, string>> {
  return {
    "golden-export.ndjson": goldenLines().map(renderExportLine).join(""),
    "golden-export-removed.ndjson": goldenRemovedLines().map(renderExportLine).join(""),
    "golden-excerpt.ndjson": goldenExcerpt(NO_FILTER).map(renderExcerptLine).join(""),
    "golden-excerpt-filtered.ndjson": goldenExcerpt(GOLDEN_FILTER).map(renderExcerptLine).join(""),
    "golden-public-key.txt": `${renderVerifierKey(goldenSigner.verifier)}\n`,
  };
}

const TESTDATA = new URL("../testdata/", import.meta.url);

if (import.meta.main) {
  for (const [name, text] of Object.entries(goldenFiles())) writeFileSync(new URL(name, TESTDATA), text);
}
