import type { Socket } from "node:net";
import type { HeadReadings, RequestHead } from "../request-head.ts";
import { readLaneHead } from "./read-lane-head.ts";

/** One whole request of the lane's language. */
export interface LaneRequest {
  readonly head: RequestHead;
  readonly body: Buffer;
}

/** Heads that one connection remembers, as count: a client sends few that differ. */
const MAX_REMEMBERED = 4;

interface Remembered {
  readonly text: string;
  readonly head: LaneRequestHead;
}

interface LaneRequestHead extends RequestHead {
  /** Bytes of the body. */
  readonly bodyBytes: number;
  readings: HeadReadings | undefined;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Reads the requests of one connection. A client repeats its head byte for byte, so the last ones are
 * remembered, with what their text alone says. Whom it lets act is judged for each request.
 */
export class LaneRequests {
  readonly #paths: readonly string[];
  readonly #socket: Socket;
  readonly #remembered: Remembered[] = [];
  #next = 0;

  constructor(paths: readonly string[], socket: Socket) {
    this.#paths = paths;
    this.#socket = socket;
  }

  /** The request that these bytes are; null when they are less, more or anything else. */
  read(bytes: Buffer): LaneRequest | null {
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) return null;
    const head = this.#head(bytes.toString("latin1", 0, end));
    if (head === null) return null;
    const bodyAt = end + HEAD_END.length;
    if (bytes.length !== bodyAt + head.bodyBytes) return null;
    return { head, body: bytes.subarray(bodyAt) };
  }

  #head(text: string): LaneRequestHead | null {
    for (const known of this.#remembered) if (known.text === text) return repeated(known.head);
    const read = readLaneHead(text, this.#paths);
    if (read === null) return null;
    const head = { ...read, socket: this.#socket, readings: undefined };
    this.#remembered[this.#next] = { text, head };
    this.#next = (this.#next + 1) % MAX_REMEMBERED;
    return head;
  }
}

/** Readings of a head are worth their place when it comes again. */
function repeated(head: LaneRequestHead): LaneRequestHead {
  head.readings ??= new Map();
  return head;
}
