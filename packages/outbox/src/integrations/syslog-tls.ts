import { isIP } from "node:net";
import { hostname } from "node:os";
import { type ConnectionOptions, connect } from "node:tls";
import type { ForwardedRow } from "@svc/store/ports/forwarded-rows";
import type { BatchOutcome } from "../batches/batch-destination.ts";
import { BATCH_DEADLINE_MS, type BatchSendingParts, failedBatch } from "./send-batch.ts";
import { syslogFrame } from "./syslog-frame.ts";

export interface SyslogTarget {
  readonly host: string;
  readonly port: number;
}

/** Bytes that a receiver may say: syslog over TLS has no answers. */
const MAX_ANSWER_BYTES = 4 * 1024;

/**
 * Milliseconds between the batch and the end of the connection. A receiver that has gone resets the
 * connection within them; one that closes it before the end has come does not confirm.
 */
const SETTLE_MS = 250;

const DELIVERED: BatchOutcome = { ...failedBatch(""), kind: "delivered", fault: null };

/**
 * Sends rows over a connection of their own. Syslog confirms nothing, so a batch counts as delivered when the
 * receiver closes the connection after its end, and not before. What it loses after that is lost.
 */
export async function sendToSyslog(
  { dialer }: BatchSendingParts,
  { host, port }: SyslogTarget,
  { rows, signal: ended }: { readonly rows: readonly ForwardedRow[]; readonly signal: AbortSignal },
): Promise<BatchOutcome> {
  const signal = AbortSignal.any([AbortSignal.timeout(BATCH_DEADLINE_MS), ended]);
  const own = hostname();
  const frames = rows.map((row) => syslogFrame(row, own)).join("");
  try {
    const limits = { isEncrypted: true, deadlineMs: BATCH_DEADLINE_MS, signal };
    const socket = await dialer.connect({ host, port, ...limits });
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const options = { socket, host, ...servername, secureContext: await dialer.secureContext() };
    await converse(options, { frames, signal, host });
    return DELIVERED;
  } catch (error) {
    return failedBatch(error instanceof Error ? error.message : String(error));
  }
}

async function converse(
  options: ConnectionOptions,
  { frames, signal, host }: { readonly frames: string; readonly signal: AbortSignal; readonly host: string },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stream = connect({ ...options, rejectUnauthorized: true });
  const abort = (): void => {
    reject(new Error(`${host} did not read the batch and close the connection in time`));
  };
  signal.addEventListener("abort", abort, { once: true });
  let answered = 0;
  let isEnded = false;
  const end = (): void => {
    isEnded = true;
    stream.end();
  };
  let settling: NodeJS.Timeout | undefined;
  stream.once("secureConnect", () => {
    stream.write(frames, () => (settling = setTimeout(end, SETTLE_MS)));
  });
  stream.on("data", (piece: Buffer) => {
    answered += piece.length;
    if (answered > MAX_ANSWER_BYTES) reject(new Error(`${host} answers, which no receiver of syslog does`));
  });
  stream.once("error", reject);
  const early = new Error(`${host} closed the connection before it had read the batch`);
  stream.once("end", () => (isEnded ? resolve() : reject(early)));
  stream.once("close", () => reject(early));
  try {
    if (signal.aborted) abort();
    await promise;
  } finally {
    clearTimeout(settling);
    signal.removeEventListener("abort", abort);
    stream.destroy();
  }
}
