// Writes packages/engine/src/names/confusables-table.ts from Unicode's confusables.txt:
// node scripts/confusables-table.mjs <confusables.txt of https://www.unicode.org/Public/security/>

import { readFileSync, writeFileSync } from "node:fs";
import { argv, exit, stderr } from "node:process";

const OUTPUT = new URL("../packages/engine/src/names/confusables-table.ts", import.meta.url);

/** Longest line of the table in characters, without its quotes and comma. */
const WIDTH = 104;

const [path] = argv.slice(2);
if (path === undefined) {
  stderr.write("expected the path of confusables.txt\n");
  exit(2);
}
const text = readFileSync(path, "utf8");
const version = /^# Version: ([0-9.]+)$/m.exec(text)?.[1];
const prototypes = new Map();
for (const line of text.split("\n")) {
  const found = /^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/.exec(line.replace("\ufeff", ""));
  if (found !== null) prototypes.set(textOf(found[1]), textOf(found[2]));
}

// What compatibility says anyway is left out. This must stay what skeleton.ts does.
const kept = new Map();
for (const [source, prototype] of prototypes) {
  const wanted = prototype.normalize("NFD");
  if (source.normalize("NFD") !== source) continue;
  const compatible = source.normalize("NFKD");
  if (compatible !== source && mapped(prototypes, compatible) === wanted) continue;
  kept.set(source, wanted);
}
for (const source of prototypes.keys())
  if (skeleton(source) !== mapped(prototypes, source.normalize("NFD")))
    throw new Error(`${source}: another skeleton`);

const groups = Map.groupBy(kept.keys(), (source) => kept.get(source) ?? "");
const entries = [...groups]
  .map(
    ([prototype, sources]) =>
      `${numbers(prototype, ".")}:${sources
        .map((one) => numbers(one, "."))
        .sort()
        .join(",")}`,
  )
  .sort();
const lines = [];
for (const entry of entries.flatMap(pieces)) {
  const last = lines.at(-1);
  if (last === undefined || last.length + entry.length >= WIDTH) lines.push(entry);
  else lines[lines.length - 1] = `${last} ${entry}`;
}
writeFileSync(
  OUTPUT,
  `// Made by scripts/confusables-table.mjs from confusables.txt of Unicode ${version}.
// Copyright 1991-2025 Unicode, Inc. Unicode License V3, https://www.unicode.org/license.txt

/** \`<prototype>:<characters>\`: code points in base 36, those of one text with points between them. */
export const CONFUSABLES: readonly string[] = [
${lines.map((line) => `  "${line}",`).join("\n")}
];
`,
);

function textOf(codes) {
  return codes
    .split(" ")
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join("");
}

function numbers(some, between) {
  return Array.from(some, (one) => one.codePointAt(0).toString(36)).join(between);
}

/** A long group as several entries of the same prototype. */
function pieces(entry) {
  const [prototype, list] = entry.split(":");
  const sources = list.split(",");
  const made = [];
  while (sources.length > 0) made.push(`${prototype}:${sources.splice(0, 20).join(",")}`);
  return made;
}

function mapped(table, some) {
  return Array.from(some, (one) => table.get(one) ?? one)
    .join("")
    .normalize("NFD");
}

function skeleton(some) {
  const parts = Array.from(
    some.normalize("NFD"),
    (one) => kept.get(one) ?? mapped(kept, one.normalize("NFKD")),
  );
  return parts.join("").normalize("NFD");
}
