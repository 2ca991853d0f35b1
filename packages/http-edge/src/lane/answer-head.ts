import { type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import { KEEP_ALIVE_TIMEOUT_MS } from "@svc/contract/limits";
import { type Answer, COMMON_HEADERS, headersOf } from "../answer.ts";
import { httpDate } from "./http-date.ts";

/** What becomes of the connection behind an answer. */
export type AfterAnswer = "kept" | "ended";

const KEPT = `Connection: keep-alive\r\nKeep-Alive: timeout=${String(KEEP_ALIVE_TIMEOUT_MS / 1_000)}\r\n`;

/** Printable ASCII: nothing that could end a line. */
const HEADER_VALUE = /^[ -~]*$/;

const COMMON = Object.entries(COMMON_HEADERS).map(([name, value]) => headerLine(name, value));

/** What stands before the length of the body, in most answers. */
const OK_START = startOf(200);

/** The headers that every answer has. One that sets them itself is joined in the general way. */
const OWN: ReadonlySet<string> = new Set([...Object.keys(COMMON_HEADERS), "content-length"]);

/**
 * The head of an answer, as Node writes it: the headers of the answer in their order, then those of the
 * connection.
 * @param set headers that were set before the answer; null: none
 * @throws when a value could end its line.
 */
export function answerHead(answer: Answer, set: OutgoingHttpHeaders | null, after: AfterAnswer): string {
  const plain = set === null && after === "kept" ? plainHead(answer) : null;
  return plain ?? joinedHead(answer, set, after);
}

/** The same bytes for an answer that changes no common header; null for every other. */
function plainHead({ status, text, headers }: Answer): string | null {
  let lines = "";
  for (const name in headers) {
    if (OWN.has(name)) return null;
    lines += headerLine(name, headers[name]);
  }
  const start = status === 200 ? OK_START : startOf(status);
  return `${start}${String(Buffer.byteLength(text))}\r\n${lines}Date: ${httpDate()}\r\n${KEPT}\r\n`;
}

/** The general way. */
export function joinedHead(answer: Answer, set: OutgoingHttpHeaders | null, after: AfterAnswer): string {
  let head = statusLine(answer.status);
  const end = after === "ended" ? { connection: "close" } : {};
  const headers: OutgoingHttpHeaders = { ...set, ...headersOf(answer), ...end };
  for (const name in headers) head += headerLine(name, headers[name]);
  return `${head}Date: ${httpDate()}\r\n${after === "kept" ? KEPT : ""}\r\n`;
}

function startOf(status: number): string {
  return `${statusLine(status)}${COMMON.join("")}content-length: `;
}

function statusLine(status: number): string {
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? "unknown"}\r\n`;
}

function headerLine(name: string, value: OutgoingHttpHeaders[string]): string {
  const text = String(value);
  if (!HEADER_VALUE.test(text)) throw new TypeError(`the header ${name} of an answer is not printable`);
  return `${name}: ${text}\r\n`;
}
