import { expect } from "vitest";

/** The largest text that can reach a policy, and a quarter of it, in characters. */
const LONG = 256 * 1024;
const SHORT = LONG / 4;

/** Times that are so short cannot be told from noise, and hurt nobody. In milliseconds. */
const NOTICED_MS = 40;

/** A linear reading takes 4 times as long for 4 times the text, a quadratic one 16 times. */
const MAX_RATIO = 9;

const ATTEMPTS = 8;

/**
 * What work returns, and the processor time of this thread in milliseconds: what other processes do on the
 * same cores is not in it.
 */
export function timed<Value>(work: () => Value): { readonly value: Value; readonly ms: number } {
  const before = process.threadCpuUsage();
  const value = work();
  const { user, system } = process.threadCpuUsage(before);
  return { value, ms: (user + system) / 1_000 };
}

export const threadMs = (work: () => unknown): number => timed(work).ms;

/** In one block of memory, as a request's texts are; JavaScript keeps repeated texts as trees. */
function textOf(beginning: string, piece: string, length: number): string {
  const text = beginning + piece.repeat(Math.ceil(length / piece.length));
  return Buffer.from(text.slice(0, length)).toString();
}

/**
 * Expects that work on a long text of one piece takes linear time, and at most this long. The best of some
 * attempts counts, in turns: what the machine does meanwhile only ever adds.
 */
export function expectLinear(
  work: (text: string) => unknown,
  { piece, beginning = "", maxMs }: { piece: string; beginning?: string; maxMs: number },
): void {
  const [long, short] = [textOf(beginning, piece, LONG), textOf(beginning, piece, SHORT)];
  let longMs = threadMs(() => work(long));
  let shortMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && longMs > NOTICED_MS; attempt += 1) {
    shortMs = Math.min(
      shortMs,
      threadMs(() => work(short)),
    );
    longMs = Math.min(
      longMs,
      threadMs(() => work(long)),
    );
  }
  const text = JSON.stringify(beginning + piece);
  expect(longMs, `milliseconds for ${text}`).toBeLessThan(maxMs);
  if (longMs > NOTICED_MS) expect(longMs / shortMs, `${text}, four times as long`).toBeLessThan(MAX_RATIO);
}
