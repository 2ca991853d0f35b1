import type { IncomingHttpHeaders } from "node:http";
import { requestFault } from "../request-fault.ts";
import { LANE_HEADERS, MAX_HEAD_BYTES } from "./lane-language.ts";

/** The head of a request that the lane takes. It says all that Node's parser would say. */
export interface LaneHead {
  readonly httpVersionMajor: 1;
  readonly method: "POST";
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  /** Bytes of the body. */
  readonly bodyBytes: number;
}

/** One header: a plain name, a colon, at most one space, and a printable value without spaces around it. */
const HEADER_LINE = /^([A-Za-z-]{1,40}): ?([!-~](?:[ -~]{0,2046}[!-~])?)$/;

/** Five digits: more does not arrive in one piece. */
export const BODY_LENGTH = /^[1-9][0-9]{0,4}$/;

/**
 * Reads a head of the lane's closed language, without the empty line at its end. The frame is judged by the
 * function that judges every frame. @returns null for everything else, which Node's parser reads and answers.
 */
export function readLaneHead(text: string, paths: readonly string[]): LaneHead | null {
  if (text.length > MAX_HEAD_BYTES) return null;
  const [first, ...lines] = text.split("\r\n");
  const url = paths.find((path) => first === `POST ${path} HTTP/1.1`);
  if (url === undefined) return null;
  const headers: IncomingHttpHeaders = {};
  const rawHeaders: string[] = [];
  for (const line of lines) {
    const [, sentName = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    const name = sentName.toLowerCase();
    if (!LANE_HEADERS.has(name) || headers[name] !== undefined) return null;
    headers[name] = value;
    rawHeaders.push(sentName, value);
  }
  const { connection = "keep-alive", "content-length": length = "" } = headers;
  if (connection.toLowerCase() !== "keep-alive" || !BODY_LENGTH.test(length)) return null;
  const head = { httpVersionMajor: 1, method: "POST", url, headers, rawHeaders } as const;
  return requestFault(head, "in_segment") === null ? { ...head, bodyBytes: Number(length) } : null;
}
