import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileAtOnce } from "./compile-document.ts";
import { decidingDocument } from "./document-parts.ts";
import { readPolicy } from "./read-policy.ts";
import { dataFile } from "./testing/data-files.suite.ts";
import { answerTo, parseDocumentedCall } from "./testing/documented-calls.suite.ts";

interface EarlierPolicy {
  readonly policy: string;
  /** With what was answered then. */
  readonly calls: string;
  readonly changed?: readonly Change[];
}

interface Change {
  readonly call: string;
  readonly now: string;
  /** A part of the changelog. */
  readonly because: string;
}

const CHANGELOG = readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8").replaceAll(
  /\s+/g,
  " ",
);
const policies = dataFile<EarlierPolicy[]>("earlier-policies.yaml");

describe("policies of earlier versions", () => {
  // proves POL-83
  it.each(policies)(
    "$# decide as then, are refused, or the changelog says why",
    ({ policy, calls, changed = [] }) => {
      const reading = readPolicy(policy);
      if (!reading.ok) {
        expect(reading.diagnostics.length).toBeGreaterThan(0);
        return;
      }
      const compiled = compileAtOnce(decidingDocument(reading.document));
      const differing = calls
        .trim()
        .split("\n")
        .map(parseDocumentedCall)
        .flatMap((documented) => {
          const now = answerTo(compiled, documented);
          return now === documented.expectation ? [] : [{ call: documented.text, now }];
        });
      expect(differing).toEqual(changed.map(({ call, now }) => ({ call, now })));
      for (const { because } of changed) expect(CHANGELOG).toContain(because);
    },
  );
});
