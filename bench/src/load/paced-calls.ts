import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { sendBody } from "../peers/send-body.ts";

export interface PacedCalls {
  readonly url: string;
  readonly body: Buffer;
  /** Milliseconds between the beginnings of two calls, whether the one before was answered or not. */
  readonly intervalMs: number;
  readonly count: number;
}

/** How one call went: from sending it to the end of its answer. */
export interface TimedCall {
  readonly ms: number;
  /** `allow`, `deny`, `pause`, or the code of the refusal. */
  readonly answer: string;
}

/** Sends calls at a steady pace, as one agent at work does. The next call never waits for a slow answer. */
export async function runPaced({ url, body, intervalMs, count }: PacedCalls): Promise<TimedCall[]> {
  const agent = new Agent({ keepAlive: true });
  const calls: Promise<TimedCall>[] = [];
  const startedMs = performance.now();
  for (let at = 0; at < count; at += 1) {
    await delay(Math.max(0, startedMs + at * intervalMs - performance.now()));
    calls.push(timed(url, body, agent));
  }
  const answered = await Promise.all(calls);
  agent.destroy();
  return answered;
}

async function timed(url: string, body: Buffer, agent: Agent): Promise<TimedCall> {
  const startedMs = performance.now();
  const answer = await sendBody(url, body, agent);
  return { ms: performance.now() - startedMs, answer };
}
