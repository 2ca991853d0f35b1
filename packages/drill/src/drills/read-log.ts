import type { LogReport } from "@svc/audit-log/log-report";
import { parseVerifierKey } from "@svc/audit-log/note-key";
import { type ExportRecord, parseExport } from "@svc/audit-log/parse-export";
import { parseRowText } from "@svc/audit-log/parse-row-text";
import { verifyExport } from "@svc/audit-log/verify-export";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { LocalCluster } from "../local/local-cluster.ts";

/** The logs of all gateways, as one of them exports them. */
export interface ClusterLog {
  readonly reports: readonly LogReport[];
  /** Decision of each row about a call, by decision id. */
  readonly decisions: ReadonlyMap<string, string>;
  /** How many rows say that a switch ended by time, by switch. */
  readonly expiries: ReadonlyMap<string, number>;
}

/** Reads and verifies every log, with the keys of the gateways' own folders. @throws DrillFault */
export async function readLog({ gateways }: LocalCluster): Promise<ClusterLog> {
  const decisions = new Map<string, string>();
  const expiries = new Map<string, number>();
  const take = (record: ExportRecord): void => {
    if (record.kind !== "row") return;
    const { logId, seq, bytes } = record.row;
    const reading = parseRowText(Buffer.from(bytes).toString());
    if (reading.kind !== "row") return;
    const { kind, decision, action, kill_switch_id: id } = reading.row;
    if (kind === "decision" && typeof decision === "string")
      decisions.set(formatDecisionId({ logId, seq }), decision);
    if (kind === "kill_switch" && action === "expired" && typeof id === "string")
      expiries.set(id, (expiries.get(id) ?? 0) + 1);
  };
  const texts = await Promise.all(gateways.map((gateway) => gateway.publicKeys()));
  const keys = texts.flatMap((text) => text.trim().split("\n").map(parseVerifierKey));
  const [first] = gateways;
  const chunks = first === undefined ? none() : first.api.stream("/api/v1/audit/export");
  const records = eachTaken(parseExport(chunks), take);
  const reports = await verifyExport({ records, evidence: none(), keys });
  return { reports, decisions, expiries };
}

async function* eachTaken(
  records: AsyncIterable<ExportRecord>,
  take: (record: ExportRecord) => void,
): AsyncGenerator<ExportRecord> {
  for await (const record of records) {
    take(record);
    yield record;
  }
}

async function* none(): AsyncGenerator<never> {
  // Nothing.
}
