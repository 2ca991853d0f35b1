import { matchesGlob } from "../globs/glob.ts";
import { globReadingMeets } from "./shell-glob.ts";
import { agreed, type Truth, truthOf } from "./truth.ts";

/** Names that follow each other in a path, in lower case; `*` stands for any characters of one name. */
export interface PathName {
  readonly segments: readonly string[];
}

const NAME = /^[A-Za-z0-9._@#$%&()+,=!~* -]+$/;

/** One name, as a pattern: not stars alone, no space at either end, no dot at its end. */
const ONE_NAME = "(?! |\\*+(?:/|$))[A-Za-z0-9._@#$%&()+,=!~* -]*[A-Za-z0-9_@#$%&()+,=!~*-]";

/** What `parsePathName` reads, as a pattern. */
export const PATH_NAME_PATTERN = `^${ONE_NAME}(?:/${ONE_NAME})*$`;

/** @returns null when the text is not a name, or names with slashes between them. */
export function parsePathName(text: string): PathName | null {
  const segments = text.split("/");
  return segments.every((name) => NAME.test(name) && /[^*]/.test(name) && !SHORTENED.test(name))
    ? { segments: segments.map((name) => name.toLowerCase()) }
    : null;
}

/** Names that some readers shorten, `.` and `..` among them. */
const SHORTENED = /^\s|[\s.]$/;

/** Characters at which some reader ends a name. */
const MARK = /[/:;?#|\0]/;
const MARK_OR_QUOTE = /[/:;?#|\0"'`=&,@()<>[\]{}]/;

/**
 * A text that is quoted as a whole, or JSON, whose texts another reader takes out of their quotes; and one
 * word, such as `--file=.env` or `@.env`, of which a program may take a part.
 */
const QUOTED = /^\s*["'`{[]|^[^\s(]*$/;

/** What a shell removes when it has read it. */
const QUOTES = /['"]/g;
const BACKSLASHES = /\\\n?/g;

/** What a shell replaces that no variable names: its parameters, and texts with codes. */
const SHELL_PARTS = /\$'[^']*'|\$(?=")|\$[0-9@*#?!$-]/g;

/** Nothing in the text has a second reading. */
const PLAIN = /^(?:[A-Za-z0-9_+/-]|\.(?=[A-Za-z0-9_+-]))*$/;

/**
 * Whether a text is a path in which one of the names stands, ASCII case ignored. `unsure` where only one
 * reading of the text has the name: with `..` resolved or not, with percent-encoding, backslashes, Windows
 * spellings, look-alikes, shell globs or variables, or quotes taken off.
 */
export function pathNamed(text: string, names: readonly PathName[]): Truth {
  const plain = asciiLower(text);
  const truth = truthOf(isNamed(resolve(plain.split("/")), names));
  if (PLAIN.test(text)) return truth;
  const decoded = decode(text);
  const readings: readonly (() => boolean)[] = [
    () => isNamed(plain.split("/"), names),
    () => isNamed(resolve(decoded.split("/").map(shortened)), names),
    () => isNamed(resolve(plain.replaceAll(QUOTES, "").replaceAll(BACKSLASHES, "").split("/")), names),
    () => isNamed(decoded.split(QUOTED.test(decoded) ? MARK_OR_QUOTE : MARK).map(shortened), names),
  ];
  const read = readings.reduce<Truth>((all, reading) => agreed(all, truthOf(reading())), truth);
  if (read !== "fails") return read;
  const unquoted = text.replaceAll(SHELL_PARTS, "*").replaceAll(QUOTES, "");
  return [unquoted, unquoted.replaceAll(BACKSLASHES, "")].some((one) => mayStandFor(one, names))
    ? "unsure"
    : "fails";
}

/** Whether a shell or Windows may make one of the names of the text. */
function mayStandFor(text: string, names: readonly PathName[]): boolean {
  const segments = decode(text).split("/");
  return names.some((name) => isRun(segments, name, (glob, segment) => mayMean(segment, glob)));
}

function isNamed(segments: readonly string[], names: readonly PathName[]): boolean {
  return names.some((name) => isRun(segments, name, matchesGlob));
}

/** Whether the names follow each other somewhere; empty segments and `.` do not count. */
function isRun(
  all: readonly string[],
  { segments: wanted }: PathName,
  fits: (glob: string, segment: string) => boolean,
): boolean {
  const segments = all.filter((segment) => segment !== "" && segment !== ".");
  return segments.some((_, start) => wanted.every((glob, at) => fits(glob, segments[start + at] ?? "")));
}

function resolve(segments: readonly string[]): readonly string[] {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === "..") resolved.pop();
    else if (segment !== "" && segment !== ".") resolved.push(segment);
  }
  return resolved;
}

function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Most times that a text is percent-decoded: each server in a chain may decode it once. */
const MAX_DECODINGS = 4;

/** The text as the most generous reader reads it. */
function decode(text: string): string {
  let decoded = text;
  for (let times = 0; times < MAX_DECODINGS && decoded.includes("%"); times += 1) {
    decoded = decoded.replaceAll(
      /%(?:u([0-9A-Fa-f]{4})|([0-9A-Fa-f]{2}))/gi,
      (_, unit?: string, byte?: string) => String.fromCharCode(Number.parseInt(unit ?? byte ?? "", 16)),
    );
  }
  return decoded
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase()
    .replaceAll(/[\p{M}]/gu, "")
    .replaceAll("\u0131", "i")
    .replaceAll(/[\u2044\u2215\u29f8\u29f5\\]/g, "/");
}

/** As Windows and careless readers take a name: to a stream, a parameter or NUL, and trimmed. */
function shortened(name: string): string {
  const cut = /^[^:;?#\0]*/.exec(name)?.[0] ?? "";
  const trimmed = cut.trim();
  return trimmed === "." || trimmed === ".." ? trimmed : trimmed.replace(/[\s.]{1,255}$/, "");
}

/** Longest name in a path, in UTF-16 units. What is longer is not a glob. */
const MAX_NAME = 255;

/** A short name of Windows: the first characters of the long one, and a number. */
const SHORT_NAME = /^([^~.]{1,6})~[0-9]{1,6}(?:\.[^.]{1,3})?$/;

/** Whether a segment may stand for a name that the glob matches: as a short name or as a shell glob. */
function mayMean(segment: string, glob: string): boolean {
  if (segment.length > MAX_NAME) return false;
  const short = SHORT_NAME.exec(segment)?.[1];
  const begin = glob.replace(/^[^a-z0-9*]+/, "").slice(0, 2);
  if (short !== undefined && (begin.startsWith("*") || short.startsWith(begin))) return true;
  return matchesGlob(glob, segment) || globReadingMeets(segment, glob);
}
