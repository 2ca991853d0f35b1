import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataFile } from "../testing/data-files.suite.ts";
import { detect, detects, mayDetectSecret, replaceDetected } from "./detect.ts";
import { DETECTOR_NAMES, type DetectorName, SECRET_DETECTORS } from "./detector.ts";
import { HOSTILE_PIECES } from "./hostile-pieces.suite.ts";
import { SLOW_DETECTORS, slowFindings } from "./slow-detectors.suite.ts";

type Cases = Record<DetectorName, { finds: { in: string; found: string }[]; leaves: string[] }>;

const CASES = dataFile<Cases>("detectors.yaml");

describe.each(DETECTOR_NAMES)("detector %s", (name) => {
  // proves POL-27
  it.each(CASES[name].finds)("finds $found", ({ in: text, found }) => {
    expect(detect(text, [name]).map(({ start, end }) => text.slice(start, end))).toEqual([found]);
    expect(detects(text, [name])).toBe(true);
  });

  it.each(CASES[name].leaves)("leaves %j", (text) => {
    expect(detect(text, [name])).toEqual([]);
  });
});

describe("detectors", () => {
  const pieces = fc.array(
    fc.constantFrom(
      ...HOSTILE_PIECES,
      ...Object.values(CASES).flatMap(({ finds }) => finds.map((one) => one.in)),
    ),
  );
  const text = pieces.map((parts) => parts.join(""));

  it("the quick look for secrets never misses what a plain search finds", () => {
    const secrets = (Object.keys(SLOW_DETECTORS) as DetectorName[]).filter((name) =>
      name.startsWith("secret."),
    );
    expect(secrets.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(text, (input) => {
        const finds = secrets.some((name) => slowFindings(name, input).length > 0);
        expect(mayDetectSecret(input) || !finds).toBe(true);
      }),
    );
  });

  it.each(SECRET_DETECTORS)("the quick look for secrets sees every example of %s", (name) => {
    for (const { in: example } of CASES[name].finds) expect(mayDetectSecret(example)).toBe(true);
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
  it.each(Object.keys(SLOW_DETECTORS) as DetectorName[])("%s finds what its plain form finds", (name) => {
    fc.assert(
      fc.property(text, (input) => {
        expect(detect(input, [name])).toEqual(
          slowFindings(name, input).map((span) => ({ detector: name, ...span })),
        );
      }),
      { numRuns: runs(3_000, 30_000) },
    );
  });

  it("replaces overlapping findings as one", () => {
    const input = "token=ghp_0123456789abcdefghijABCDEFGHIJ012345 to a@b.example";
    expect(replaceDetected(input, DETECTOR_NAMES, (_, name) => `<${name}>`)).toBe(
      "token=<secret.github_token> to <pii.email>",
    );
  });
});
