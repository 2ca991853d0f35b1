import { codePoint } from "@svc/text/code-point";
import { UNSEEN_CHARACTER } from "@svc/text/unseen";
import { utf8Length } from "@svc/text/utf8";
import { MAX_NAME_BYTES } from "../limits.ts";
import { mixedScripts } from "./word-scripts.ts";

/** What the name of an agent, session, tool or namespace must be, for the people who read a refusal. */
export const NAME_EXPECTATION =
  `1 to ${String(MAX_NAME_BYTES)} bytes of printable text (UTF-8, Normalization Form C): no *, no control ` +
  "characters, no space at either end, and letters of one script in each word";

/** What a schema can say of a name in every dialect of regular expressions. The rest is `isName`. */
export const NAME_PATTERN = "^[^ *]([^*]*[^ *])?$";

/** Names in printable ASCII that need no further look. A masked name has a bracket. */
const PLAIN = new RegExp(
  String.raw`^[!-)+-Z\\-~](?:[ -)+-Z\\-~]{0,${String(MAX_NAME_BYTES - 2)}}[!-)+-Z\\-~])?$`,
);

/** Begins what stands for a secret in a row. No name of a request may look like the name of another row. */
const MASKED = "[masked:";

/** Characters that nobody sees, and blanks that are not the space. */
const UNSEEN = new RegExp(UNSEEN_CHARACTER, "u");

/** A mark that would join what stands before the name, or a space. */
const LOOSE_MARK = /(?:^| )(\p{M})/u;

/**
 * Whether a text can name an agent, a session, a tool or a namespace. Names are compared byte for byte: no
 * case folding, no trimming, no normalization.
 */
export function isName(text: string): boolean {
  if (PLAIN.test(text) || foreignNames.has(text)) return true;
  if (nameFault(text) !== null) return false;
  // Forgetting all of them costs less than knowing which one was used last.
  if (foreignNames.size === MAX_FOREIGN_NAMES) foreignNames.clear();
  // A copy: the text may be a part of a whole body, which it would keep.
  foreignNames.add(text.split("").join(""));
  return true;
}

/** Most names that are remembered, as count: half a megabyte at the longest names. */
const MAX_FOREIGN_NAMES = 1_000;

/** Names beyond those of printable ASCII. What a text holds never changes. Changed by `isName` alone. */
const foreignNames = new Set<string>();

/** Why a text is not a name, and what to write instead, as one sentence without its end; null: it is one. */
export function nameFault(text: string): string | null {
  if (text === "") return "it is empty: write a name";
  const bytes = utf8Length(text);
  if (bytes > MAX_NAME_BYTES)
    return `it has ${String(bytes)} bytes: leave out ${String(bytes - MAX_NAME_BYTES)} of them`;
  const unseen = unseenFault(text);
  if (unseen !== null) return unseen;
  if (text.startsWith(" ")) return "it begins with a space (U+0020): leave it out";
  if (text.endsWith(" ")) return "it ends with a space (U+0020): leave it out";
  if (text.includes("*"))
    return "it holds * (U+002A): write the exact name, because * stands for anything in globs";
  return readingFault(text);
}

/** Why a text holds a character that nobody sees, or half of one; null: it holds none. */
export function unseenFault(text: string): string | null {
  const character = UNSEEN.exec(text)?.[0];
  if (character === undefined) return null;
  const point = codePoint(character);
  if (/\p{Zs}/u.test(character)) return `it holds the blank ${point}: write a plain space (U+0020)`;
  if (!character.isWellFormed()) return `it holds ${point}, half of a character: write the whole one`;
  return `it holds ${point}, which nobody sees: leave it out`;
}

function readingFault(text: string): string | null {
  const normal = text.normalize("NFC");
  if (normal !== text) return unnormalFault(text, normal);
  const mark = LOOSE_MARK.exec(text)?.[1];
  if (mark !== undefined) return `the mark ${codePoint(mark)} stands on no letter: put it behind one`;
  if (text.includes(MASKED))
    return `it holds ${MASKED}, which stands for a secret in rows: write the name itself`;
  const mixed = mixedScripts(text);
  if (mixed === null) return null;
  const { first, firstScript, other, otherScript } = mixed;
  return (
    `one word has ${codePoint(first)} (${shown(firstScript)}) and ${codePoint(other)} ` +
    `(${shown(otherScript)}): ` +
    "write each word with letters of one script"
  );
}

function unnormalFault(text: string, normal: string): string {
  const [characters, composed] = [Array.from(text), Array.from(normal)];
  const at = characters.findIndex((one, place) => one !== composed[place]);
  const [found, wanted] = [characters[at], composed[at]];
  const instead = wanted === undefined ? "" : `, with ${codePoint(wanted)} at this place`;
  return `${codePoint(found ?? "")} is not in Normalization Form C: write the composed form${instead}`;
}

function shown(script: string): string {
  return script.replaceAll("_", " ");
}
