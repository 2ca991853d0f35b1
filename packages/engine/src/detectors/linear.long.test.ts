// long: it measures every detector on forty texts of 256 KiB, several times each

import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, it } from "vitest";
import { maskSecrets } from "../mask-secrets.ts";
import { expectLinear } from "../testing/thread-time.suite.ts";
import { detect, replaceDetected } from "./detect.ts";
import { DETECTOR_NAMES } from "./detector.ts";
import { HOSTILE_PIECES } from "./hostile-pieces.suite.ts";

/** The promise is 50 ms for one detector on a machine that does nothing else. In milliseconds. */
const MAX_MS = 150;
const MAX_TOGETHER_MS = 500;

/** The pieces alone, and generated combinations of them: nobody knows the worst text of every pattern. */
function expectLinearOnHostileTexts(work: (text: string) => unknown, maxMs: number): void {
  for (const piece of HOSTILE_PIECES) expectLinear(work, { piece, maxMs });
  const combined = fc.array(fc.constantFrom(...HOSTILE_PIECES), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(combined, (pieces) => expectLinear(work, { piece: pieces.join(""), maxMs })),
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
