// long: it measures every detector on forty texts of 256 KiB, several times each

import { canonicalJson } from "@svc/contract/canonical-json";
import type { JsonObject } from "@svc/contract/json-value";
import { runs } from "@svc/contract/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskSecrets } from "../mask-secrets.ts";
import { detect, replaceDetected } from "./detect.ts";
import { DETECTOR_NAMES } from "./detector.ts";
import { HOSTILE_PIECES } from "./hostile-pieces.suite.ts";

/** The largest text that can reach a detector, and a quarter of it, in characters. */
const LONG = 256 * 1024;
const SHORT = LONG / 4;

/** Times that are so short cannot be told from noise, and hurt nobody. In milliseconds. */
const NOTICED_MS = 25;

/** A linear search takes 4 times as long for 4 times the text, a quadratic one 16 times. */
const MAX_RATIO = 9;

/** The promise is 50 ms for one detector on a machine that does nothing else. In milliseconds. */
const MAX_MS = 150;
const MAX_TOGETHER_MS = 500;

const ATTEMPTS = 8;

/** In one block of memory, as a request's texts are; JavaScript keeps repeated texts as trees. */
function textOf(piece: string, length: number): string {
  return Buffer.from(piece.repeat(Math.ceil(length / piece.length)).slice(0, length)).toString();
}

/** Processor time of this thread: what other processes do on the same cores is not in it. */
function timeMs(work: () => unknown): number {
  const { user, system } = process.threadCpuUsage();
  work();
  const used = process.threadCpuUsage({ user, system });
  return (used.user + used.system) / 1_000;
}

/** The best of some attempts each, in turns: what the machine does meanwhile only ever adds. */
function expectLinear(work: (text: string) => unknown, piece: string, maxMs: number): void {
  const long = textOf(piece, LONG);
  const short = textOf(piece, SHORT);
  let longMs = timeMs(() => work(long));
  let shortMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && longMs > NOTICED_MS; attempt += 1) {
    shortMs = Math.min(
      shortMs,
      timeMs(() => work(short)),
    );
    longMs = Math.min(
      longMs,
      timeMs(() => work(long)),
    );
  }
  expect(longMs, `milliseconds for ${JSON.stringify(piece)}`).toBeLessThan(maxMs);
  if (longMs <= NOTICED_MS) return;
  expect(longMs / shortMs, `${JSON.stringify(piece)} four times as long`).toBeLessThan(MAX_RATIO);
}

/** The pieces alone, and generated combinations of them: nobody knows the worst text of every pattern. */
function expectLinearOnHostileTexts(work: (text: string) => unknown, maxMs: number): void {
  for (const piece of HOSTILE_PIECES) expectLinear(work, piece, maxMs);
  const combined = fc.array(fc.constantFrom(...HOSTILE_PIECES), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(combined, (pieces) => expectLinear(work, pieces.join(""), maxMs)),
    { numRuns: runs(40, 400) },
  );
}

describe("E5: 256 KiB of the worst text", () => {
  // proves POL-50
  it.each(DETECTOR_NAMES)("%s reads it in linear time", (name) => {
    expectLinearOnHostileTexts((text) => detect(text, [name]), MAX_MS);
  });

  // proves POL-50
  it("all detectors together replace in linear time", () => {
    expectLinearOnHostileTexts((text) => replaceDetected(text, DETECTOR_NAMES, "x"), MAX_TOGETHER_MS);
  });

  // proves POL-50
  it("masking a row takes linear time, as one text and as thousands", () => {
    const mask = (args: JsonObject): JsonObject => maskSecrets(args, canonicalJson(args));
    expectLinearOnHostileTexts((text) => mask({ text }), MAX_TOGETHER_MS);
    expectLinearOnHostileTexts((text) => mask({ texts: text.split(" "), token: "x" }), MAX_TOGETHER_MS);
  });
});
