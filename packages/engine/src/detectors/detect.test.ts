import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataFile } from "../testing/data-files.suite.ts";
import { detect, detects, mayDetect, replaceDetected } from "./detect.ts";
import { DETECTOR_NAMES, type DetectorName } from "./detector.ts";

type Cases = Record<DetectorName, { finds: { in: string; found: string }[]; leaves: string[] }>;

const CASES = dataFile<Cases>("detectors.yaml");

/** Largest text that can reach a detector. */
const BODY_LENGTH = 256 * 1024;

/** Far above what a linear search needs, far below what a quadratic one does. */
const BUDGET_MS = 2_000;

/** Pieces that begin what detectors look for, and never finish it. */
const PIECES = [
  "a",
  "a.",
  "@",
  "a@a.",
  "+1 ",
  "1",
  "4 ",
  "41-",
  "DE12",
  "de12 ",
  "1-",
  "AKIA",
  "ghp_",
  "github_pat_",
  "-----BEGIN ",
  "eyJ",
  "eyJ.eyJ",
  ".eyJ",
  "token",
  "token: ",
  "bearer ",
  "token=a1",
  "sk-",
  "svc_a_",
  "AIza",
  " ",
  "-",
];

describe.each(DETECTOR_NAMES)("detector %s", (name) => {
  // proves POL-27
  it.each(CASES[name].finds)("finds $found", ({ in: text, found }) => {
    expect(detect(text, [name]).map(({ start, end }) => text.slice(start, end))).toEqual([found]);
    expect(detects(text, [name])).toBe(true);
  });

  it.each(CASES[name].leaves)("leaves %j", (text) => {
    expect(detect(text, [name])).toEqual([]);
  });

  it("is linear on texts that keep beginning", () => {
    const started = performance.now();
    for (const piece of PIECES) detect(piece.repeat(Math.ceil(BODY_LENGTH / piece.length)), [name]);
    expect(performance.now() - started).toBeLessThan(BUDGET_MS * 2);
  });
});

describe("detectors", () => {
  const pieces = fc.array(
    fc.constantFrom(...PIECES, ...Object.values(CASES).flatMap(({ finds }) => finds.map((one) => one.in))),
  );
  const text = pieces.map((parts) => parts.join(""));

  it("the quick look never misses what the search finds", () => {
    fc.assert(
      fc.property(text, (input) => {
        for (const name of DETECTOR_NAMES)
          expect(mayDetect(input, [name]) || detect(input, [name]).length === 0).toBe(true);
      }),
    );
  });

  it("findings are never empty and lie inside the text; what is replaced is gone", () => {
    fc.assert(
      fc.property(text, (input) => {
        for (const { start, end } of detect(input, DETECTOR_NAMES))
          expect(0 <= start && start < end && end <= input.length).toBe(true);
        const replaced = replaceDetected(input, DETECTOR_NAMES, " # ");
        expect(replaced === input).toBe(detect(input, DETECTOR_NAMES).length === 0);
      }),
    );
  });

  it("replaces overlapping findings as one", () => {
    const input = "token=ghp_0123456789abcdefghijABCDEFGHIJ012345 to a@b.example";
    expect(replaceDetected(input, DETECTOR_NAMES, (_, name) => `<${name}>`)).toBe(
      "token=<secret.github_token> to <pii.email>",
    );
  });
});
