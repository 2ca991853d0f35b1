import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { digestOf, PACKED, readDescription, sourcesDigest } from "./reactor-files.ts";

test("the program that runs Rego was built from the present sources: node scripts/build-reactor.ts", () => {
  expect(readDescription().sources).toBe(sourcesDigest());
});

test("the packed program is the one that its description names", () => {
  const program = brotliDecompressSync(readFileSync(PACKED));
  const { sha256, bytes } = readDescription();
  expect({ sha256: digestOf(program), bytes: program.length }).toEqual({ sha256, bytes });
});
