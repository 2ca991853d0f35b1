import { failClosedDeny, type RefusalVerdict } from "@svc/contract/verdict";
import type { Direction } from "../wire/processing-request.ts";
import {
  clearBody,
  continueBody,
  continueHeaders,
  continueTrailers,
  type HeaderChanges,
  streamBody,
  type WireResponse,
} from "../wire/processing-response.ts";
import type { Leg, Mark, Ruling } from "./stream-state.ts";

/**
 * The header that says why a request may go on. The shipped proxy configurations refuse a request without it.
 */
export const DECISION_HEADER = "x-svc-decision";

type Judging = Extract<Leg, { stage: "judging" }>;
type Release = Extract<Ruling, { kind: "release" }>;

/**
 * All pending answers of a released message, in order, or why its changes cannot be carried out.
 * @param planned changes that the answer to the headers carries
 */
export function releaseMessages(
  direction: Direction,
  leg: Judging,
  release: Release,
  planned: HeaderChanges,
): readonly WireResponse[] | RefusalVerdict {
  const trailers = leg.trailers === null ? [] : [continueTrailers(direction, leg.trailers)];
  switch (leg.mode) {
    case "HEADERS_ONLY":
      if (release.body !== null) return cannotCarry("a body that a message without one cannot have");
      return [continueHeaders(direction, merge(planned, marked(direction, release)))];
    case "BUFFERED":
      return [
        continueBody(direction, release.body, withLength(marked(direction, release), release.body)),
        ...trailers,
      ];
    case "STREAMED":
      if (release.changes.set.length + release.changes.remove.length > 0) {
        return cannotCarry("headers, which went on before a streamed body");
      }
      return [...replacePieces(direction, leg, release.body), ...trailers];
    case "FULL_DUPLEX_STREAMED":
      return [
        ...streamWhole(direction, leg, { ...release, changes: merge(planned, release.changes) }),
        ...trailers,
      ];
  }
}

/** The header change of a request that goes on. Responses carry no mark, because clients do not need it. */
export function markChanges(direction: Direction, mark: Mark): HeaderChanges {
  return { set: direction === "request" ? [[DECISION_HEADER, mark]] : [], remove: [] };
}

function marked(direction: Direction, { mark, changes }: Release): HeaderChanges {
  return merge(changes, markChanges(direction, mark));
}

function merge(one: HeaderChanges, other: HeaderChanges): HeaderChanges {
  return { set: [...one.set, ...other.set], remove: [...one.remove, ...other.remove] };
}

/** Sets the length, because Envoy refuses a buffered body whose length differs from its headers. */
function withLength(changes: HeaderChanges, body: Uint8Array | null): HeaderChanges {
  if (body === null) return changes;
  return { ...changes, set: [...changes.set, ["content-length", String(body.byteLength)]] };
}

/**
 * In STREAMED each piece needs one answer. All pieces but the last are cleared, and the last becomes
 * the whole body.
 */
function replacePieces(
  direction: Direction,
  { pieceCount, body: came }: Judging,
  body: Uint8Array | null,
): readonly WireResponse[] {
  if (pieceCount === 1 && body === null) return [continueBody(direction, null, { set: [], remove: [] })];
  const cleared = Array.from({ length: pieceCount - 1 }, () => clearBody(direction));
  return [...cleared, continueBody(direction, body ?? came, { set: [], remove: [] })];
}

function streamWhole(direction: Direction, leg: Judging, release: Release): readonly WireResponse[] {
  const { set, remove } = marked(direction, release);
  const headers = continueHeaders(direction, { set, remove: [...remove, "content-length"] });
  if (leg.pieceCount === 0) return [headers];
  const body = release.body ?? leg.body ?? new Uint8Array(0);
  return [headers, ...streamBody(direction, body, leg.trailers === null)];
}

function cannotCarry(what: string): RefusalVerdict {
  return failClosedDeny("shaping_unsupported", `The verdict changes ${what}.`);
}
