import type { Socket } from "node:net";
import type { SteadyHead } from "../request-head.ts";
import { MAX_HEAD_BYTES } from "./lane-language.ts";
import { headersOf, LaneRequestHead } from "./lane-request-head.ts";
import { BODY_LENGTH, type LaneHead } from "./read-lane-head.ts";

/** The headers whose values a client may change with each request. None of them but the length frames it. */
const VARYING: ReadonlySet<string> = new Set([
  "content-length",
  "idempotency-key",
  "x-request-id",
  "traceparent",
  "tracestate",
]);

/** A value as the lane takes it. */
const VALUE = /^[!-~](?:[ -~]{0,2046}[!-~])?$/;

interface Varying {
  readonly isLength: boolean;
  /** Where the value stands in the list of raw headers. */
  readonly index: number;
  /** The text of the head from the value before to this one. */
  readonly before: string;
}

/** A head that its client sends again with other values of a few headers. It is read as the first one was. */
export class HeadTemplate {
  /** The first one. */
  readonly head: LaneRequestHead;
  readonly #varying: readonly Varying[];
  readonly #end: string;

  /** @param text of a head that the lane took, which says `head` */
  constructor(text: string, head: LaneHead, socket: Socket) {
    const same = { url: head.url, socket, steady: steadyOf(head) };
    this.head = new LaneRequestHead(same, head.rawHeaders, head.bodyBytes);
    const { varying, end } = partsOf(text, head);
    this.#varying = varying;
    this.#end = end;
  }

  /** The head that this text is; null when it is not this one with other values. */
  match(text: string): LaneRequestHead | null {
    if (text.length > MAX_HEAD_BYTES || !text.endsWith(this.#end)) return null;
    const rawHeaders = this.head.rawHeaders.slice();
    let length = "";
    let at = 0;
    for (const { isLength, index, before } of this.#varying) {
      const valueAt = at + before.length;
      // Faster than startsWith, which compares character by character.
      if (text.slice(at, valueAt) !== before) return null;
      at = endOfLine(text, valueAt);
      const value = text.slice(valueAt, at);
      if (!VALUE.test(value)) return null;
      rawHeaders[index] = value;
      if (isLength) length = value;
    }
    if (text.length - at !== this.#end.length || !BODY_LENGTH.test(length)) return null;
    return new LaneRequestHead(this.head, rawHeaders, Number(length));
  }
}

/** The values that vary with the text before each, and the text behind the last of them. */
function partsOf(text: string, { rawHeaders }: LaneHead) {
  const varying: Varying[] = [];
  let at = 0;
  let lineEnd = endOfLine(text, 0);
  for (let index = 1; index < rawHeaders.length; index += 2) {
    lineEnd = endOfLine(text, lineEnd + 2);
    const name = (rawHeaders[index - 1] ?? "").toLowerCase();
    if (!VARYING.has(name)) continue;
    const valueAt = lineEnd - (rawHeaders[index] ?? "").length;
    varying.push({ isLength: name === "content-length", index, before: text.slice(at, valueAt) });
    at = lineEnd;
  }
  return { varying, end: text.slice(at) };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\r\n", from);
  return end === -1 ? text.length : end;
}

/** What is the same in every head that matches. What varies is not in it, so that nobody remembers it. */
function steadyOf(head: LaneHead): SteadyHead {
  const rawHeaders = head.rawHeaders.filter((_, at) => {
    const name = head.rawHeaders[at - (at % 2)] ?? "";
    return !VARYING.has(name.toLowerCase());
  });
  return { text: { headers: headersOf(rawHeaders), rawHeaders }, readings: new Map() };
}
