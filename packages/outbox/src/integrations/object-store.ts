import { hash } from "node:crypto";
import type { ForwardedRow } from "@svc/store/ports/forwarded-rows";
import { AwsV4Signer } from "aws4fetch";
import type { BatchOutcome } from "../batches/batch-destination.ts";
import { type BatchSendingParts, sendBatch } from "./send-batch.ts";
import { linesOf } from "./siem-http.ts";

export interface ObjectStoreTarget {
  /** Without a slash at its end. */
  readonly url: string;
  readonly region: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  /** Of its connections. */
  readonly pool: string;
}

/** What signs files, and what proves them. */
export interface Evidence {
  /** The signed note of a text (C2SP). */
  sign(text: string): string;
  /** The signed note over the first rows of a log, the row `seq` included. Null: nobody has signed it yet. */
  checkpointOver(
    logId: string,
    seq: number,
  ): Promise<{ readonly size: number; readonly note: string } | null>;
}

/** Digits of a row's number in a name, so that names stand in the order of the rows. */
const SEQ_DIGITS = 16;

const NDJSON = "application/x-ndjson";
const TEXT = "text/plain; charset=utf-8";

interface StoredObject {
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

/**
 * Puts the rows of each log into a file, then a signed note about the file, then a checkpoint that covers its
 * last row. A note says that its file is whole, so a crash between the two leaves a file without a note.
 */
export async function putRows(
  parts: BatchSendingParts & { readonly evidence: Evidence },
  target: ObjectStoreTarget,
  {
    org,
    rows,
    signal,
  }: { readonly org: string; readonly rows: readonly ForwardedRow[]; readonly signal: AbortSignal },
): Promise<BatchOutcome> {
  let last: BatchOutcome | null = null;
  for (const [logId, found] of Map.groupBy(rows, (row) => row.logId)) {
    const from = found[0]?.seq ?? 0;
    const to = found.at(-1)?.seq ?? from;
    const name = `rows/${logId}/${padded(from)}-${padded(to)}`;
    const file = { name: `${name}.ndjson`, type: NDJSON, body: linesOf(found) };
    const about = { logId, org, from, to, rows: found.length };
    const note = {
      name: `${name}.note`,
      type: TEXT,
      body: parts.evidence.sign(fileStatement(about, file.body)),
    };
    for (const object of [file, note]) {
      last = await putObject(parts, target, object, signal);
      if (last.kind !== "delivered") return last;
    }
    const checkpoint = await parts.evidence.checkpointOver(logId, to);
    if (checkpoint === null) continue;
    const body = checkpoint.note;
    const place = `checkpoints/${logId}/${padded(checkpoint.size)}.note`;
    last = await putObject(parts, target, { name: place, type: TEXT, body }, signal);
    if (last.kind !== "delivered") return last;
  }
  if (last === null) throw new TypeError("expected at least one row");
  return last;
}

/** What the note about a file says, in five lines. */
export function fileStatement(
  about: {
    readonly logId: string;
    readonly org: string;
    readonly from: number;
    readonly to: number;
    readonly rows: number;
  },
  body: string,
): string {
  const { logId, org, from, to, rows } = about;
  const digest = hash("sha256", body, "base64");
  return `svc-audit-file/${logId}\n${org}\n${String(from)}-${String(to)}\n${String(rows)}\n${digest}\n`;
}

async function putObject(
  parts: BatchSendingParts,
  target: ObjectStoreTarget,
  { name, type, body }: StoredObject,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const { url: base, region, bucket, prefix, access_key_id, secret_access_key, pool } = target;
  const signer = new AwsV4Signer({
    method: "PUT",
    url: `${base}/${bucket}/${prefix}${name}`,
    headers: { "content-type": type, "x-amz-content-sha256": hash("sha256", body, "hex") },
    body,
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    service: "s3",
    region,
    datetime: parts.clock
      .now()
      .toISOString()
      .replace(/[:-]|\.\d{3}/g, ""),
  });
  const { url, headers } = await signer.sign();
  const request = { url: url.href, method: "PUT", headers: Object.fromEntries(headers), body, pool } as const;
  const { text, ...outcome } = await sendBatch(parts, request, signal);
  const code = /<Code>(?<code>[A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.groups?.["code"];
  if (outcome.kind === "delivered" || code === undefined) return outcome;
  return { ...outcome, fault: `${outcome.fault ?? ""} (${code})` };
}

function padded(seq: number): string {
  return String(seq).padStart(SEQ_DIGITS, "0");
}
