import type { DenyVerdict } from "@svc/contract/verdict";
import { append } from "../append/append-row.ts";
import { rowPolicy } from "../check/governing-policy.ts";
import type { Ruling } from "../evaluate/ruling.ts";
import type { ExecuteParts } from "../execute-parts.ts";
import type { PendingCall } from "../pending-call.ts";
import { deny } from "./answer.ts";

/**
 * Denies at once. Behind a database that is cut off, each call would wait for a row that cannot be written.
 * One row at a time is tried all the same, to find out whether the database answers again.
 */
export function denyWithoutRow(parts: ExecuteParts, call: PendingCall, unverified: Ruling): DenyVerdict {
  const { queue, control, log } = parts;
  if (queue.isCommitting) queue.countSkippedRow();
  else
    void append(parts, call, unverified, rowPolicy(control, call)).catch((error: unknown) =>
      log.error({ err: error, request_id: call.requestId.text }, "the row of a denied call was not written"),
    );
  return deny(unverified);
}
