import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { MAX_UNFINISHED_BODY_BYTES, PROCESS_BODIES } from "../body-budget.ts";
import { type RawAnswer, readToEnd } from "./raw-exchange.ts";

const HALF = "x".repeat(1_000);

/**
 * Sends half a body to a listener of this process, and fills the budget for unfinished bodies with another
 * one. Resolves with the answer to the first.
 */
export async function refusedBody(port: number, target: string, headers: readonly string[] = []) {
  const own = ["Host: 127.0.0.1", "Content-Type: application/json", "Content-Length: 2000"];
  const before = PROCESS_BODIES.bytes;
  const socket = connect(port, "127.0.0.1");
  const answer: Promise<RawAnswer> = readToEnd(socket);
  socket.write(`POST ${target} HTTP/1.1\r\n${[...own, ...headers].join("\r\n")}\r\n\r\n${HALF}`);
  // The test fails by its own time when the body never arrives.
  while (PROCESS_BODIES.bytes < before + HALF.length) await delay(1);
  const other = PROCESS_BODIES.open(() => undefined);
  other.add(MAX_UNFINISHED_BODY_BYTES);
  other.release();
  // A listener may read the rest before it answers.
  socket.end(HALF);
  return answer;
}
