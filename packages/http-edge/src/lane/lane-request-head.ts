import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { RequestHead, SteadyHead } from "../request-head.ts";

/** What is the same in all heads of one form on one connection. */
interface SameHead {
  readonly url: string;
  readonly socket: Socket;
  readonly steady: SteadyHead;
}

/** A head of the lane, on its connection. */
export class LaneRequestHead implements RequestHead {
  readonly httpVersionMajor = 1;
  readonly method = "POST";
  readonly url: string;
  readonly rawHeaders: string[];
  readonly socket: Socket;
  readonly steady: SteadyHead;
  /** Bytes of the body. */
  readonly bodyBytes: number;
  #headers: IncomingHttpHeaders | null = null;

  constructor({ url, socket, steady }: SameHead, rawHeaders: string[], bodyBytes: number) {
    this.url = url;
    this.socket = socket;
    this.steady = steady;
    this.rawHeaders = rawHeaders;
    this.bodyBytes = bodyBytes;
  }

  /** Made when somebody asks for it: each name comes once. */
  get headers(): IncomingHttpHeaders {
    this.#headers ??= headersOf(this.rawHeaders);
    return this.#headers;
  }
}

/** @param rawHeaders with each name once */
export function headersOf(rawHeaders: readonly string[]): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (let index = 1; index < rawHeaders.length; index += 2)
    headers[(rawHeaders[index - 1] ?? "").toLowerCase()] = rawHeaders[index];
  return headers;
}
