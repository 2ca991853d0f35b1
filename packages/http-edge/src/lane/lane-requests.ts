import type { Socket } from "node:net";
import type { RequestHead } from "../request-head.ts";
import { HeadTemplate } from "./head-template.ts";
import type { LaneRequestHead } from "./lane-request-head.ts";
import { readLaneHead } from "./read-lane-head.ts";

/** One whole request of the lane's language. */
export interface LaneRequest {
  readonly head: RequestHead;
  readonly body: Buffer;
}

/** Heads that one connection remembers, as count: a client sends few that differ. */
const MAX_REMEMBERED = 4;

/** Longest head that is remembered, in characters: twice an ordinary one. Each connection keeps its own. */
const MAX_REMEMBERED_LENGTH = 1_024;

interface Remembered {
  readonly text: string;
  readonly template: HeadTemplate;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Reads the requests of one connection. A client repeats its head, but for the values of a few headers. So
 * the last heads are remembered, with what their text alone says. Credentials are judged for each request.
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
    for (const { text: known, template } of this.#remembered) if (known === text) return template.head;
    for (const { template } of this.#remembered) {
      const head = template.match(text);
      if (head !== null) return head;
    }
    const read = readLaneHead(text, this.#paths);
    if (read === null) return null;
    const template = new HeadTemplate(text, read, this.#socket);
    if (text.length > MAX_REMEMBERED_LENGTH) return template.head;
    this.#remembered[this.#next] = { text, template };
    this.#next = (this.#next + 1) % MAX_REMEMBERED;
    return template.head;
  }
}
