import { CONFUSABLES } from "./confusables-table.ts";

/** ASCII whose skeleton is another text: `0` looks like `O`, `1`, `I` and `|` like `l`, `m` like `rn`. */
const CHANGED_ASCII = /["%01I`m|]/;
const ASCII = /^[\0-\x7f]*$/;
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
/** The table takes long dashes for the mark of a long vowel, which looks like a dash, too. */
const DASHES = /[\p{Pd}\u30fc]/gu;
const CONNECTORS = /\p{Pc}/gu;
/** Lines, dots and circles about a letter that has no form with them. In other scripts marks are vowels. */
const LOOSE_MARKS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}\p{P}\p{S}])[\p{Mn}\p{Me}]+/gu;

let prototypes: ReadonlyMap<string, string> | null = null;

/**
 * The skeleton of Unicode TS 39: names that look alike have the same one. It is for comparing only. What
 * compatibility decomposes, such as letters of mathematics and raised letters, counts as what it is made of,
 * every dash as `-`, and every character that connects words as `_`. Marks count only in letters that are
 * written with them, such as `ä`.
 */
export function skeletonOf(text: string): string {
  if (ASCII.test(text) && !CHANGED_ASCII.test(text)) return text;
  prototypes ??= readTable();
  const table = prototypes;
  let skeleton = "";
  for (const character of text.normalize("NFC").replaceAll(LOOSE_MARKS, "").normalize("NFD")) {
    const known = table.get(character);
    // For others the table answers raised or circled letters, and for a dash the mark of a long vowel.
    skeleton += known !== undefined && isAscii(known) ? known : decomposed(character);
  }
  // What the table answers may decompose into what it knows.
  return decomposed(mapped(decomposed(mapped(skeleton, table)), table));
}

/** Whether every character of the text is ASCII. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

function decomposed(text: string): string {
  return text.normalize("NFKD").replaceAll(IGNORED, "").replaceAll(DASHES, "-").replaceAll(CONNECTORS, "_");
}

function mapped(text: string, table: ReadonlyMap<string, string>): string {
  let result = "";
  for (const character of text) result += table.get(character) ?? character;
  return result;
}

function readTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const entry of CONFUSABLES.flatMap((line) => line.split(" "))) {
    const [prototype = "", sources = ""] = entry.split(":");
    const target = textOf(prototype);
    for (const source of sources.split(",")) table.set(textOf(source), target);
  }
  return table;
}

function textOf(points: string): string {
  return points
    .split(".")
    .map((point) => String.fromCodePoint(Number.parseInt(point, 36)))
    .join("");
}
