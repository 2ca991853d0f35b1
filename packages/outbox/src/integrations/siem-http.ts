import type { ForwardedRow } from "@svc/store/ports/forwarded-rows";
import type { BatchOutcome } from "../batches/batch-destination.ts";
import { type BatchSendingParts, sendBatch } from "./send-batch.ts";

export interface HttpTarget {
  readonly url: string;
  readonly authorization: string | null;
  /** Of its connections. */
  readonly pool: string;
}

/** Posts rows as newline-delimited JSON, a line each. */
export async function sendToSiem(
  parts: BatchSendingParts,
  { url, authorization, pool }: HttpTarget,
  { rows, signal }: { readonly rows: readonly ForwardedRow[]; readonly signal: AbortSignal },
): Promise<BatchOutcome> {
  const headers = {
    "content-type": "application/x-ndjson",
    ...(authorization === null ? {} : { authorization }),
  };
  const body = linesOf(rows);
  const { text: _, ...outcome } = await sendBatch(
    parts,
    { url, method: "POST", headers, body, pool },
    signal,
  );
  return outcome;
}

export function linesOf(rows: readonly ForwardedRow[]): string {
  return rows.map(({ line }) => `${line}\n`).join("");
}
