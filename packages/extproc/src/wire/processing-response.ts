import type { RefusalVerdict } from "@svc/contract/verdict";
import { isOurHeader } from "./header-list.ts";
import type { Direction } from "./processing-request.ts";

/** Which headers of a message change; a set header replaces every earlier value of its name. */
export interface HeaderChanges {
  readonly set: readonly (readonly [name: string, value: string])[];
  readonly remove: readonly string[];
}

export const NO_CHANGES: HeaderChanges = { set: [], remove: [] };

/** A ProcessingResponse as the loader encodes it. */
export type WireResponse = Readonly<Record<string, object>>;

/**
 * Most bytes of one piece of a body in FULL_DUPLEX_STREAMED, as Envoy advises. Larger pieces defeat
 * its flow control.
 */
const MAX_PIECE_BYTES = 64 * 1024;

/** OVERWRITE_IF_EXISTS_OR_ADD replaces any value that a client sent under the name. */
const OVERWRITE = 2;

export function continueHeaders(direction: Direction, changes: HeaderChanges): WireResponse {
  return { [`${direction}_headers`]: { response: headerMutation(changes) } };
}

/** @param body replaces what came; null leaves it as it is. */
export function continueBody(
  direction: Direction,
  body: Uint8Array | null,
  changes: HeaderChanges,
): WireResponse {
  const mutation = body === null ? {} : { body_mutation: { body } };
  return { [`${direction}_body`]: { response: { ...headerMutation(changes), ...mutation } } };
}

/** Removes one piece of a streamed body. */
export function clearBody(direction: Direction): WireResponse {
  return { [`${direction}_body`]: { response: { body_mutation: { clear_body: true } } } };
}

/** The whole body in the form that FULL_DUPLEX_STREAMED demands, and no other mode understands. */
export function streamBody(direction: Direction, body: Uint8Array, last: boolean): readonly WireResponse[] {
  const count = Math.max(1, Math.ceil(body.byteLength / MAX_PIECE_BYTES));
  return Array.from({ length: count }, (_, index) => {
    const piece = body.subarray(index * MAX_PIECE_BYTES, (index + 1) * MAX_PIECE_BYTES);
    const streamed = { body: piece, end_of_stream: last && index === count - 1 };
    return { [`${direction}_body`]: { response: { body_mutation: { streamed_response: streamed } } } };
  });
}

/**
 * Lets trailers go on, without those that could be taken for ours. Nothing in front of the
 * adapter strips them.
 */
export function continueTrailers(direction: Direction, names: readonly string[]): WireResponse {
  const remove = names.filter(isOurHeader);
  return {
    [`${direction}_trailers`]: remove.length === 0 ? {} : { header_mutation: { remove_headers: remove } },
  };
}

/**
 * The answer that the proxy sends instead of the message: 403 for a deny, 202 for a pause. An allow has none.
 */
export function refuse(verdict: RefusalVerdict): WireResponse {
  const set = [
    ["content-type", "application/json"],
    ["cache-control", "no-store"],
    ["x-svc-decision", verdict.decision],
  ] as const;
  return {
    immediate_response: {
      status: { code: verdict.decision === "pause" ? 202 : 403 },
      headers: setHeaders({ set, remove: [] }),
      body: Buffer.from(JSON.stringify(verdict)),
      details: `svc_${verdict.decision}_${verdict.reason_code}`,
    },
  };
}

function headerMutation(changes: HeaderChanges): object {
  return changes.set.length + changes.remove.length === 0 ? {} : { header_mutation: setHeaders(changes) };
}

/** Writes values as raw bytes, because Envoy takes a header with only `value` for an empty one. */
function setHeaders({ set, remove }: HeaderChanges): object {
  const headers = set.map(([key, value]) => ({
    header: { key, raw_value: Buffer.from(value, "latin1") },
    append_action: OVERWRITE,
  }));
  return { set_headers: headers, remove_headers: remove };
}
