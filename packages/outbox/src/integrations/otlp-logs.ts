import type { ForwardedRow } from "@svc/store/ports/forwarded-rows";
import { isJsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import type { BatchOutcome } from "../batches/batch-destination.ts";
import { type BatchSendingParts, sendBatch } from "./send-batch.ts";
import type { HttpTarget } from "./siem-http.ts";

/** Numbers and texts of OpenTelemetry by the severity that OCSF counts. */
const SEVERITIES = [
  { severityNumber: 9, severityText: "INFO" },
  { severityNumber: 9, severityText: "INFO" },
  { severityNumber: 10, severityText: "INFO2" },
  { severityNumber: 13, severityText: "WARN" },
  { severityNumber: 17, severityText: "ERROR" },
  { severityNumber: 21, severityText: "FATAL" },
] as const;

/** Posts rows as log records by OTLP/HTTP in JSON. */
export async function sendToCollector(
  parts: BatchSendingParts,
  { url, authorization, pool }: HttpTarget,
  { rows, signal }: { readonly rows: readonly ForwardedRow[]; readonly signal: AbortSignal },
): Promise<BatchOutcome> {
  const headers = {
    "content-type": "application/json",
    ...(authorization === null ? {} : { authorization }),
  };
  const body = renderOtlpLogs(rows, parts.clock.now().getTime());
  const sent = await sendBatch(parts, { url, method: "POST", headers, body, pool }, signal);
  const { text, ...outcome } = sent;
  if (outcome.kind !== "delivered") return outcome;
  const refused = Math.min(refusedRecords(text), rows.length);
  if (refused === 0) return outcome;
  // OTLP forbids to send records again that a collector refused by themselves.
  return { ...outcome, refused, fault: `the collector refused ${String(refused)} records` };
}

/** The body of an export request. The line of a row is the body of its record. */
export function renderOtlpLogs(rows: readonly ForwardedRow[], nowMs: number): string {
  const logRecords = rows.map(({ logId, seq, kind, timeMs, severity, line }) => ({
    timeUnixNano: `${String(timeMs)}000000`,
    observedTimeUnixNano: `${String(nowMs)}000000`,
    ...(SEVERITIES[severity] ?? SEVERITIES[0]),
    body: { stringValue: line },
    attributes: [
      { key: "svc.row.id", value: { stringValue: `${logId}.${String(seq)}` } },
      { key: "svc.row.log_id", value: { stringValue: logId } },
      { key: "svc.row.seq", value: { intValue: String(seq) } },
      { key: "svc.row.kind", value: { stringValue: kind } },
    ],
  }));
  const resource = { attributes: [{ key: "service.name", value: { stringValue: "svc" } }] };
  const scopeLogs = [{ scope: { name: "svc.audit" }, logRecords }];
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] });
}

/** What a partial success says. An answer in another form says nothing of the kind. */
function refusedRecords(text: string): number {
  const answer = parseStrictJsonText(text);
  const partial = answer.ok && isJsonObject(answer.value) ? answer.value["partialSuccess"] : undefined;
  const count = Number(isJsonObject(partial) ? partial["rejectedLogRecords"] : 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
