import { globFault } from "@svc/contract/glob-pattern";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadMs } from "../testing/thread-time.suite.ts";
import { matchesGlob } from "./glob.ts";
import { GlobIndex } from "./glob-index.ts";
import { firstCovering, overlapWitness } from "./glob-overlap.ts";

/** Few letters, so that globs and names meet often. */
const letters = (alphabet: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet.split("")), maxLength });
const glob = letters("ab.*", 9);
const name = letters("ab.", 12);

/** The definition itself, exponential and obviously right. */
function naive(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  if (pattern.startsWith("*")) {
    return naive(pattern.slice(1), text) || (text !== "" && naive(pattern, text.slice(1)));
  }
  return text !== "" && pattern[0] === text[0] && naive(pattern.slice(1), text.slice(1));
}

describe("globs", () => {
  // proves POL-08
  it("E11: equal a naive oracle on 200,000 random pairs", () => {
    const pair = fc.property(
      glob,
      name,
      (pattern, text) => matchesGlob(pattern, text) === naive(pattern, text),
    );
    fc.assert(pair, { numRuns: runs(200_000, 2_000_000) });
  });

  it("E11: an index answers as trying every glob does, in order", () => {
    const property = fc.property(fc.array(glob, { maxLength: 12 }), name, (globs, text) => {
      const wanted = globs.flatMap((pattern, at) => (naive(pattern, text) ? [at] : []));
      expect(new GlobIndex(globs).matches(text)).toEqual(wanted);
    });
    fc.assert(property, { numRuns: runs(20_000, 200_000) });
  });

  it("E11: an adversarial pair of 128 characters stays far below 10 ms", () => {
    const pattern = "*a".repeat(63) + "*b";
    const text = "a".repeat(128);
    matchesGlob(pattern, text);
    const ms = threadMs(() => {
      for (let run = 0; run < 100; run += 1) expect(matchesGlob(pattern, text)).toBe(false);
    });
    expect(ms / 100).toBeLessThan(10);
  });

  it.each([
    ["payments.*", "payments.refund", true],
    ["payments.*", "payments.", true],
    ["payments.*", "payments", false],
    ["payments.*", "Payments.refund", false],
    ["payments.*", "xpayments.refund", false],
    ["fs*", "fs_evil", true],
    ["*", "anything:at/all@x", true],
    ["*.read", "a.b.read", true],
    ["a*c*e", "abcde", true],
    ["a*c*e", "abde", false],
    ["[ab]", "a", false],
    ["a?", "ab", false],
    ["**", "x", true],
  ])("E11: %s on %s is %s", (pattern, text, wanted) => {
    expect(matchesGlob(pattern, text)).toBe(wanted);
  });

  // proves EXEC-22, POL-08
  it("E10: a literal matches no name but itself, byte for byte", () => {
    const literal = "fs.read_file";
    const tricks = [
      "FS.read_file",
      "fs.read_file ",
      " fs.read_file",
      "fs.read_file.",
      "fs.read_file/",
      "fs..read_file",
    ];
    const unicode = [
      "fs.read\u200b_file",
      "fs.re\u0430d_file",
      "\ufb01s.read_file",
      "fs.read_\ufb01le",
      "f\u017f.read_file",
    ];
    const encoded = [
      "%66s.read_file",
      "fs%2eread_file",
      "fs.read_file\u0000",
      "fs.read_file%00",
      "fs.read\u00adfile",
    ];
    for (const trick of [...tricks, ...unicode, ...encoded, "\u212Afs.read_file"]) {
      expect(matchesGlob(literal, trick)).toBe(false);
      expect(new GlobIndex([literal, "fs.read_file2", "gs.*"]).hasMatch(trick)).toBe(false);
    }
    fc.assert(fc.property(fc.string(), (text) => matchesGlob(literal, text) === (text === literal)));
  });

  it("E11: refuses globs that no name can match, and only those", () => {
    const plain = ["*", "**", "a*", "*.x", "a.*", "*-x", "a/b:c@d", "_", "*.", "-a", ".a*", "a b", "a?", "ä"];
    const foreign = ["GET /users/{id}", "Поиск *", "* *", "*\u0301", "検索*search", "a[]", "x".repeat(256)];
    for (const valid of [...plain, ...foreign]) expect([valid, globFault(valid)]).toEqual([valid, null]);
    const invalid = ["", " a", "a ", "a\n", "a\u200b*", "e\u0301*", "x".repeat(257), "*p\u0430y*"];
    const ofOthers = [".*", "[a]", "a{b,c}", "!a", "^a", "a$", "fs\\.read", "fs.+"];
    for (const text of [...invalid, ...ofOthers]) expect([text, globFault(text)]).not.toEqual([text, null]);
  });
});

const covers = (outer: string, inner: string): boolean => firstCovering(new GlobIndex([outer]), inner) === 0;

describe("glob overlaps", () => {
  it("a witness matches both, and none is missed", () => {
    const property = fc.property(glob, glob, name, (left, right, text) => {
      const witness = overlapWitness(left, right);
      if (witness !== null) expect(naive(left, witness) && naive(right, witness)).toBe(true);
      const legal = /^[ab]/.test(text);
      if (legal && naive(left, text) && naive(right, text)) expect(witness).not.toBeNull();
    });
    fc.assert(property, { numRuns: runs(50_000, 500_000) });
  });

  it("a glob that covers another matches all its names", () => {
    const property = fc.property(glob, glob, name, (outer, inner, text) => {
      if (covers(outer, inner) && naive(inner, text)) expect(naive(outer, text)).toBe(true);
    });
    fc.assert(property, { numRuns: runs(50_000, 500_000) });
    expect(covers("a.*", "a.b*")).toBe(true);
    expect(covers("a.b", "a.*")).toBe(false);
  });
});
