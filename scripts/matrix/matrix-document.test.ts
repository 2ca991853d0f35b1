import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../toolchain.mjs";
import { type Age, matrixIn } from "./matrix-result.ts";
import { matrixSources } from "./matrix-sources.ts";
import { PACKAGES, typescriptSource } from "./typescript-source.ts";

const read = (...path: readonly string[]) => readFileSync(join(root, ...path), "utf8");

// Where it fails after a change of pins: npm run clients:matrix -- <framework>
it.each(matrixSources)("the table of tested releases is that of the pins: $language", (source) => {
  const { language } = source;
  const rows = matrixIn(read("docs", "CLIENTS.md")).filter((row) => row.language === language);
  const ran = new Set(rows.map(({ name }) => name));
  const releases = (age: Age) =>
    source
      .frameworks(age)
      .filter(({ name }) => ran.has(name))
      .map(({ name, release }) => [name, `${release}: passed`]);
  expect(rows.map(({ name, cells }) => [name, cells.oldest])).toEqual(releases("oldest"));
  expect(rows.map(({ name, cells }) => [name, cells.newest])).toEqual(releases("newest"));
});

it("the package takes the oldest releases that are tested, and newer ones", () => {
  const oldest = typescriptSource.frameworks("oldest").map(({ release }) => release.split(" "));
  const peers = JSON.parse(read("packages", "sdk", "optional-peers.json")) as Record<string, string>;
  expect(peers).toEqual(Object.fromEntries(oldest.map(([name, version]) => [name, `>=${String(version)}`])));
});

it("every adapter of the package is in the matrix", () => {
  const { exports } = JSON.parse(read("packages", "sdk", "package.json")) as { exports: object };
  const adapters = Object.keys(exports).filter((subpath) => subpath !== "." && subpath !== "./testing");
  expect(adapters.toSorted()).toEqual(
    Object.keys(PACKAGES)
      .map((name) => `./${name}`)
      .toSorted(),
  );
});
