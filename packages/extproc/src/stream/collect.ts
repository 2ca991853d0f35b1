import type { BodyMode, Part } from "../wire/processing-request.ts";
import {
  continueBody,
  continueHeaders,
  continueTrailers,
  type HeaderChanges,
  NO_CHANGES,
  streamBody,
  type WireResponse,
} from "../wire/processing-response.ts";
import type { HttpMessage, Leg } from "./stream-state.ts";

type BodyPart = Extract<Part, { kind: "body" }>;
type TrailersPart = Extract<Part, { kind: "trailers" }>;
type Collecting = Extract<Leg, { stage: "collecting" }>;

/** The effect of a further part on a judged leg. */
export type Collected =
  | { readonly kind: "goes_on"; readonly leg: Leg; readonly responses: readonly WireResponse[] }
  /** The message is complete and can be judged. */
  | { readonly kind: "whole"; readonly leg: Leg; readonly message: HttpMessage }
  | { readonly kind: "too_large"; readonly reason: string }
  | { readonly kind: "spurious"; readonly reason: string };

/**
 * Collects a part of a body. A buffered body comes in one message, which is marked `last` only when no
 * trailers follow. Other modes mark their last piece.
 */
export function collectBody(leg: Leg, part: BodyPart, maxBytes: number): Collected {
  if (leg.stage !== "collecting") return { kind: "spurious", reason: `a body while ${leg.stage}` };
  const size = leg.size + part.bytes.byteLength;
  if (size > maxBytes) {
    return { kind: "too_large", reason: `body: expected at most ${String(maxBytes)} bytes, found more.` };
  }
  const grown: Collecting = { ...leg, pieces: [...leg.pieces, part.bytes], size };
  if (leg.mode === "BUFFERED" || part.last) return whole(grown, part, null);
  return { kind: "goes_on", leg: grown, responses: [] };
}

export function collectTrailers(leg: Leg, part: TrailersPart): Collected {
  switch (leg.stage) {
    case "released":
      if (!leg.mayHaveTrailers) return { kind: "spurious", reason: "trailers after the end" };
      return {
        kind: "goes_on",
        leg: { ...leg, mayHaveTrailers: false },
        responses: [continueTrailers(part.direction, part.names)],
      };
    case "collecting":
      // The headers went on without a mark, and no body follows that could carry it.
      if (leg.mode !== "FULL_DUPLEX_STREAMED" && leg.pieces.length === 0) {
        return { kind: "spurious", reason: "trailers without a body" };
      }
      return whole(leg, part, part.names);
    case "judging":
      if (leg.mode !== "BUFFERED" || leg.trailers !== null) break;
      return { kind: "goes_on", leg: { ...leg, trailers: part.names }, responses: [] };
    case "waiting":
    case "passing":
      break;
  }
  return { kind: "spurious", reason: `trailers while ${leg.stage}` };
}

/** Answers a part of a leg that needs no verdict. */
export function passPart(part: Part, mode: BodyMode, changes: HeaderChanges): readonly WireResponse[] {
  switch (part.kind) {
    case "headers":
      return [continueHeaders(part.direction, changes)];
    case "body":
      return mode === "FULL_DUPLEX_STREAMED"
        ? streamBody(part.direction, part.bytes, part.last)
        : [continueBody(part.direction, null, NO_CHANGES)];
    case "trailers":
      return [continueTrailers(part.direction, part.names)];
  }
}

function whole(
  { headers, mode, pieces }: Collecting,
  { direction }: Part,
  trailers: readonly string[] | null,
): Collected {
  const body = Buffer.concat(pieces);
  const leg: Leg = { stage: "judging", mode, body, pieceCount: pieces.length, trailers };
  return { kind: "whole", leg, message: { direction, headers, body } };
}
