import { runs } from "@svc/text/testing/runs";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isIdentifier } from "./identifier.ts";
import { identifierSchema } from "./identifier-schema.ts";

interface Vector {
  readonly description?: string;
  readonly text: string;
  readonly valid: boolean;
}

/** Ways to make a name look like another one. */
const TRICKS: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => `${name} `,
  (name) => ` ${name}`,
  (name) => `${name}.`,
  (name) => `${name}/`,
  (name) => `/${name}`,
  (name) => `${name}\u0000`,
  (name) => `${name}\n`,
  (name) => name.replace(".", ".."),
  (name) => name.replace(".", "\u2024"),
  (name) => name.replace(".", "\uff0e"),
  (name) => name.replace(".", "\u200b."),
  (name) => name.replace(".", "%2e"),
  (name) => name.replace("a", "\u0430"),
  (name) => name.replace("e", "\u0435"),
  (name) => name.replace("k", "\u212a"),
  (name) => name.replace("s", "\u017f"),
  (name) => name.replace("fi", "\ufb01"),
  (name) => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
  (name) => `\ufeff${name}`,
  (name) => `\u202e${name}`,
  (name) => `${name}\u0301`,
  (name) => `${name}*`,
];

const NAMES = [
  "payments.refund",
  "fs.read",
  "fs.write_file",
  "shell.exec",
  "disk.seek",
  "kafka.send",
  "files.fetch",
  "mail.send",
  "db.select",
  "secrets.read",
  "tasks.kill",
  "space.search",
];

describe("identifiers", () => {
  it("E10: a name that only looks like another is refused or another name", () => {
    const disguised = NAMES.flatMap((name) => TRICKS.map((trick) => trick(name)).filter((t) => t !== name));
    expect(disguised.length).toBeGreaterThan(200);
    const known = new Set(NAMES);
    const plain = disguised.filter((name) => /^[A-Za-z0-9_][A-Za-z0-9._/]*$/.test(name));
    expect(disguised.filter(isIdentifier)).toEqual(plain);
    expect(plain.filter((name) => known.has(name))).toEqual([]);
  });

  // proves EXEC-22
  it.each(loadVectors<Vector>("identifiers"))("E10: $description $text: $valid", ({ text, valid }) => {
    expect(isIdentifier(text)).toBe(valid);
    expect(identifierSchema.safeParse(text).success).toBe(valid);
  });

  it("E10: every text with a character outside the grammar is refused, wherever it stands", () => {
    const outside = fc
      .string({ unit: "binary", minLength: 1, maxLength: 3 })
      .filter((text) => !/[A-Za-z0-9._:@/-]/.test(text));
    const within = fc.string({ unit: fc.constantFrom(...Array.from("aZ9_.:@/-")), maxLength: 5 });
    fc.assert(
      fc.property(within, outside, within, (before, character, behind) => {
        expect(isIdentifier(before + character + behind)).toBe(false);
      }),
      { numRuns: runs(2_000, 20_000) },
    );
  });
});
