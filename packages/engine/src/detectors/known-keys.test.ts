import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataFile } from "../testing/data-files.suite.ts";
import { detect, mayDetectSecret } from "./detect.ts";
import { SECRET_DETECTORS } from "./detector.ts";
import { ALPHABETS, type KeyForm, parseKeyForm } from "./key-form.ts";
import { findKnownKey, mayHoldKnownKey } from "./known-key-search.ts";
import { KNOWN_KEYS } from "./known-keys.ts";

const SAMPLES = dataFile<Record<string, string>>("known-secrets.yaml");
const FILLINGS: Readonly<Record<string, string>> = {
  digit: "4815162342",
  hex: "0f1e2d3c4b5a6978",
  upper: "A1B2C3D4E5F6G7H8J9KQZXY",
  alnum: "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW",
};

function sampleOf(template: string): string {
  return template.replaceAll(/<([a-z]+) ([0-9]+)>/g, (_, kind: string, count: string) =>
    (FILLINGS[kind] ?? "").repeat(Number(count)).slice(0, Number(count)),
  );
}

/** A key of a form: each run with random characters of its alphabet. */
function keyOf({ parts }: KeyForm, shorten: number): fc.Arbitrary<string> {
  return fc
    .tuple(
      ...parts.map((part, at) => {
        if (part.kind === "fixed") return fc.constant(part.text);
        const unit = fc.constantFrom(...charactersOf(part.of));
        const missing = at === parts.length - 1 ? shorten : 0;
        return fc.string({ unit, minLength: part.least - missing, maxLength: part.least - missing });
      }),
    )
    .map((texts) => texts.join(""));
}

function charactersOf(alphabet: keyof typeof ALPHABETS): readonly string[] {
  const member = new RegExp(`[${ALPHABETS[alphabet]}]`);
  return Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((one) =>
    member.test(one),
  );
}

const FORMS = KNOWN_KEYS.flatMap(({ forms }) => forms);

describe("known secrets", () => {
  // proves POL-71
  it.each(Object.entries(SAMPLES))("%s is found whole, alone and in a sentence", (_, template) => {
    const secret = sampleOf(template);
    for (const text of [secret, `use ${secret} here`, `{"a":"${secret}"}`]) {
      const found = detect(text, SECRET_DETECTORS).map(({ start, end }) => text.slice(start, end));
      expect(found).toContain(secret);
      expect(mayDetectSecret(JSON.stringify({ text }))).toBe(true);
    }
  });

  it("there are 64 formats or more", () => {
    expect(Object.keys(SAMPLES).length).toBeGreaterThanOrEqual(64);
  });

  // proves POL-71
  it.each(FORMS.map((form) => [form.text, form] as const))(
    "%s is found from its least length on",
    (_, form) => {
      fc.assert(
        fc.property(keyOf(form, 0), (key) => {
          const text = `a ${key}`;
          const found = findKnownKey(text, 0);
          expect(found?.start).toBe(2);
          expect(found?.end).toBe(text.length);
          expect(mayHoldKnownKey(JSON.stringify(`\n${text}`))).toBe(true);
          expect(findKnownKey(`x${key}`, 0)?.start).not.toBe(1);
        }),
        { numRuns: runs(20, 200) },
      );
    },
  );

  it.each(["{word:20+}-{hex:3}", "{unknown:3}", "a b", "{hex}"])("%s is not a form", (text) => {
    expect(() => parseKeyForm(text)).toThrow();
  });

  // proves POL-71
  // proves POL-71
  it("the page lists every service and form of the table", async () => {
    const rows = KNOWN_KEYS.map(
      ({ service, forms }) => `| ${service} | ${forms.map(({ text }) => `\`${text}\``).join(", ")} |`,
    );
    const alphabets = Object.entries(ALPHABETS).map(
      ([name, characters]) => `| \`${name}\` | \`${characters}\` |`,
    );
    await expect(pageOf(rows, alphabets)).toMatchFileSnapshot("../../../../docs/SECRET-FORMATS.md");
  });
});

function pageOf(rows: readonly string[], alphabets: readonly string[]): string {
  return `# Formats of secrets

The detector \`secret.generic_api_key\` finds these keys by their form.
See [Detectors](POLICY.md#detectors) for what the other detectors find.
\`{word:20+}\` stands for 20 or more characters of the alphabet \`word\`, \`{hex:32}\` for exactly 32.
A letter or a digit before the key makes it a part of a longer word, which is not found.
This page is generated from the table that the detector uses.

| Service | Forms |
|---|---|
${rows.join("\n")}

| Alphabet | Characters |
|---|---|
${alphabets.join("\n")}
`;
}
