import type { IntegrationSettings } from "@svc/contract/integration";
import type { ForwardedRow } from "@svc/store/ports/forwarded-rows";
import type { BatchDestination, BatchOutcome } from "../batches/batch-destination.ts";
import type { Evidence } from "./object-store.ts";
import { sendToCollector } from "./otlp-logs.ts";
import type { BatchSendingParts } from "./send-batch.ts";
import { sendToSiem } from "./siem-http.ts";
import { sendToSyslog } from "./syslog-tls.ts";

/** An integration that rows are sent to, with its secret. */
export interface RowIntegration {
  readonly id: string;
  readonly org: string;
  readonly revision: string;
  readonly settings: Exclude<IntegrationSettings, { readonly kind: "github" }>;
}

export interface IntegrationParts extends BatchSendingParts {
  readonly evidence: Evidence;
}

/** An integration as one of those that rows are brought to. */
export function integrationDestination(
  parts: IntegrationParts,
  { id, org, revision, settings }: RowIntegration,
): BatchDestination {
  return {
    id,
    org,
    revision,
    kind: settings.kind,
    origin: originOf(settings),
    format: settings.kind === "object_store" ? "rows" : settings.format,
    send: async (rows, signal) => sendRows(parts, { id, org, settings }, { rows, signal }),
  };
}

function originOf(settings: RowIntegration["settings"]): string {
  if (settings.kind === "syslog") return `tls://${settings.host}:${String(settings.port)}`;
  return new URL(settings.url).origin;
}

async function sendRows(
  parts: IntegrationParts,
  { id: pool, org, settings }: Pick<RowIntegration, "id" | "org" | "settings">,
  batch: { readonly rows: readonly ForwardedRow[]; readonly signal: AbortSignal },
): Promise<BatchOutcome> {
  switch (settings.kind) {
    case "siem_http":
      return sendToSiem(parts, { ...settings, pool }, batch);
    case "syslog":
      return sendToSyslog(parts, settings, batch);
    case "otlp":
      return sendToCollector(parts, { ...settings, pool }, batch);
    case "object_store": {
      // Most servers put nothing into a store of objects.
      const { putRows } = await import("./object-store.ts");
      return putRows(parts, { ...settings, pool }, { ...batch, org });
    }
    default:
      return settings satisfies never;
  }
}
