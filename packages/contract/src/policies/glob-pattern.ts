import { utf8Length } from "@svc/text/utf8";
import { nameFault } from "../fields/name.ts";
import { MAX_NAME_BYTES } from "../limits.ts";

/** What a schema can say of a glob. `*` stands for any run of characters, all else for itself. */
export const GLOB_PATTERN = [
  String.raw`^(?!!|\^|\.[*+]$)(?!.*(?:\$$|\{[^{}]*,[^{}]*\}|\[[^\]]+\]|\.\+|\\[.*+?^$()[\]{}|]))`,
  String.raw`[^ \n](?:[^\n]{0,${String(MAX_NAME_BYTES - 2)}}[^ \n])?$`,
].join("");

/** Stands in a name for what a star matches: it belongs to no word, and a mark may follow it. */
const ANY = ".";

/** Other languages of patterns, in which a glob would mean something that it does not mean here. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^!/, "no glob is a negation, and it begins with !"],
  [/\{[^{}]*,[^{}]*\}/, "braces are not alternatives in globs"],
  [/\[[^\]]+\]/, "brackets are not a choice of characters in globs"],
  [/^\^|\$$|^\.[*+]$|\.\+|\\[.*+?^$()[\]{}|]/, "globs are not regular expressions"],
];

/** Why no name can match the glob, or why it would be taken for another pattern; null: it is a glob. */
export function globFault(glob: string): string | null {
  if (glob === "") return "it is empty";
  if (utf8Length(glob) > MAX_NAME_BYTES) return `it is longer than ${String(MAX_NAME_BYTES)} bytes`;
  const foreign = FOREIGN.find(([pattern]) => pattern.test(glob));
  return foreign === undefined ? nameFault(glob.replaceAll(/\*+/g, ANY)) : foreign[1];
}

/** A glob that matches the name: the name itself, or with `*` where it would be taken for another pattern. */
export function globOfName(name: string): string {
  return globFault(name) === null ? name : name.replaceAll(/[!^$+\\[\]{}]|^\.(?=$)/g, "*");
}
