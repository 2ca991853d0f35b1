import { describe, expect, it } from "vitest";
import { compileParts, type DocumentParts } from "./document-parts.ts";
import { prepareDocument } from "./prepare-document.ts";
import { readPolicy } from "./read-policy.ts";

/** Runs a generator to its end. Counts the steps. */
function built(parts: DocumentParts) {
  const steps = compileParts(parts);
  for (let count = 0; ; count += 1) {
    const step = steps.next();
    if (step.done === true) return { policy: step.value, count };
  }
}

const SOURCE = `
id: p
tools: { allowed: [x] }
rules:
  - id: r1
    match: { tool: x, condition: { field: args.a, operator: ">", value: 0.50 } }
    action: deny
  - id: r2
    match: { tool: x, condition: { field: args.b, operator: matches, value: "^[a-z]+$" } }
    action: deny
`;

describe("a document that is prepared on another thread", () => {
  it("is compiled a rule a step", () => {
    const prepared = prepareDocument({ source: SOURCE, json: null });
    expect(prepared.ok && built(prepared.parts).count).toBe(2);
  });

  it("leaves the places in its text behind", () => {
    const prepared = prepareDocument({ source: SOURCE, json: null });
    const texts = prepared.ok ? [prepared.parts.head, ...prepared.parts.rules] : [];
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(JSON.parse(text)).not.toHaveProperty("place");
  });

  it.each(["0.10", "1e-7", "1E3", "0x1F", "-0", "+5", ".5", "123456789.123456", "9007199254740991"])(
    "says the same as its JSON where it writes the number %s",
    (number) => {
      const source = SOURCE.replace("0.50", number);
      const reading = readPolicy(source);
      const json = reading.ok ? JSON.stringify(reading.value) : null;
      expect(json).not.toBeNull();
      expect(prepareDocument({ source: "", json })).toEqual(prepareDocument({ source, json: null }));
    },
  );

  it("is refused with the first error", () => {
    const prepared = prepareDocument({ source: "id: p\nfail_closed: maybe\n", json: null });
    expect(prepared).toEqual({ ok: false, detail: expect.stringMatching(/\w/) });
  });

  it.each([
    ["is not JSON", "{"],
    ["is refused", '{"id": "p", "colour": "red"}'],
    ["is longer than a document", JSON.stringify({ id: "p", name: "x".repeat(300_000) })],
    ["reaches for a prototype", '{"id": "p", "__proto__": {}}'],
  ])("is read from its source when the JSON beside it %s", (_name, json) => {
    const prepared = prepareDocument({ source: SOURCE, json });
    expect(prepared).toEqual(prepareDocument({ source: SOURCE, json: null }));
  });
});
