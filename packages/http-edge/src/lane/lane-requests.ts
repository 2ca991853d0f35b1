import { type LaneHead, readLaneHead } from "./read-lane-head.ts";

/** One whole request of the lane's language. */
export interface LaneRequest {
  readonly head: LaneHead;
  readonly body: Buffer;
}

/** Heads that one connection remembers, as count: a client sends few that differ. */
const MAX_REMEMBERED = 4;

interface Remembered {
  readonly text: string;
  readonly head: LaneHead;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Reads the requests of one connection. A client repeats its head byte for byte, so the last ones are
 * remembered. They say only how a request is framed: credentials are judged for each request.
 */
export class LaneRequests {
  readonly #paths: readonly string[];
  readonly #remembered: Remembered[] = [];
  #next = 0;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
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

  #head(text: string): LaneHead | null {
    for (const known of this.#remembered) if (known.text === text) return known.head;
    const head = readLaneHead(text, this.#paths);
    if (head === null) return null;
    this.#remembered[this.#next] = { text, head };
    this.#next = (this.#next + 1) % MAX_REMEMBERED;
    return head;
  }
}
