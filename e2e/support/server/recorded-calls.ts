import { decisionRowText } from "@svc/audit-log/row-text";
import type { DecisionRow } from "@svc/contract/audit-row";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { Store } from "@svc/store/ports/store";
import { canonicalJson } from "@svc/text/canonical-json";
import { KeyedDigest } from "@svc/text/keyed-digest";

/** Rows of one commit, as count. */
const BATCH = 5_000;

const START = Date.parse("2026-01-01T00:00:00.000Z");

/** The time of the row of a number, in a log with 100 rows a second. */
export const timeOf = (n: number): string => new Date(START + n * 10).toISOString();

/** What one recorded call is; the rest is that of an allowed call of policy `p`. */
export type RecordedCall = Partial<DecisionRow>;

/** Where rows are written before a server starts there. */
export type RecordedPlace =
  | { readonly dataDir: string; readonly logId: string }
  | { readonly databaseUrl: string; readonly logId: string };

/** Writes decisions into a log, as the gateway of the log would have. */
export async function recordCalls(
  place: RecordedPlace,
  count: number,
  callOf: (n: number) => RecordedCall,
): Promise<void> {
  const { logId } = place;
  const store: Store =
    "dataDir" in place
      ? await openSqliteStore({ dataDir: place.dataDir, logId })
      : await openPostgresStore({ url: place.databaseUrl, logId });
  const key = await store.deploymentKeys.deploymentKey("digest", "5a".repeat(32));
  const digest = new KeyedDigest(key);
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => from + at);
    const entries = numbers.map((n) => ({ row: rowOf(callOf(n), n, digest), claims: NO_CLAIMS }));
    await store.ledger.commit(entries);
  }
  await store.close();
}

function rowOf(known: RecordedCall, n: number, digest: KeyedDigest): string {
  const args = known.args ?? { amount: n % 1_000, currency: "EUR", note: `refund for order ${String(n)}` };
  const text = canonicalJson(args);
  const row: DecisionRow = {
    v: 1,
    kind: "decision",
    time: timeOf(n),
    org: "default",
    principal: "anonymous",
    namespace: "default",
    agent_id: "agent-1",
    session_id: `s-${String(n % 1_000)}`,
    tool: "payments.refund",
    args_digest: digest.of(text),
    call_digest: digest.of(`${String(n)}${text}`),
    shaped_args_digest: null,
    decision: "allow",
    would_be: null,
    mode: "enforcement",
    reason: null,
    reason_code: null,
    rule_id: null,
    policy_id: "p",
    policy_version: 1,
    approval_id: null,
    kill_switch_id: null,
    trigger_source: null,
    cost_usd: "0",
    steps: 1,
    fail_closed: false,
    latency_us: 400,
    ...known,
    args,
  };
  return decisionRowText(row, text);
}
