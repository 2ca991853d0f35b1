/**
 * A folder of a `path_within` condition: its segments, from the root or from wherever relative paths begin.
 */
export interface PathBase {
  readonly absolute: boolean;
  readonly segments: readonly string[];
  /** Whether it was written as a URL, `file:///srv/data`: it then judges URLs of files alone. */
  readonly isFileUrl?: true;
}

/** `unsure`: the path could mean different places to different readers, so nothing is claimed about it. */
export type Within = "inside" | "outside" | "unsure";

/** A percent-encoded byte or UTF-16 unit (`%2e`, `%u002e`): a later reader may or may not decode it. */
const PERCENT_ENCODED = /%(?:[0-9A-Fa-f]{2}|[uU])/;
/** Characters that Unicode normalisation turns into dots, slashes or backslashes. */
export const LOOKALIKES = "\\u2024-\\u2026\\u2044\\u2215\\u29f5\\u29f8\\ufe52\\ufe68\\uff0e\\uff0f\\uff3c";
const LOOKALIKE = new RegExp(`[${LOOKALIKES}]`);
/**
 * A name that some readers shorten: Windows drops spaces and dots at its end, Java servers drop parameters
 * after a semicolon, and careless readers trim it.
 */
const SHORTENED = /^\s|[\s.]$|;/;
/** What a shell or a tool replaces: variables of both kinds, and the output of commands. */
const EXPANDED = /\$[A-Za-z_{(]|`|%[A-Za-z_][A-Za-z0-9_]*%/;
/** Parameters of a shell, which may be empty, and its quotes with codes. */
const PARAMETER = /\$(?:[0-9@*!#?$'"=^~+-]|[^\0-\u007f])/;
/** Patterns of bash in parentheses, which may match two dots, and what zsh makes of names that it found. */
const IN_PARENTHESES = /[@!+*?]\(|\([^()]*(?:[:+#]|[eP](?:[^\w\s()]|(\w)[^()]*\1))/;
/** Any folders, or none. */
const ANY_FOLDERS = /^\*{2,}$/;
/** Alternatives of a shell, and its redirections. */
const ALTERNATIVES = /\{.*(?:,|\.\.).*\}|\(.*\|.*\)|[<>|]/;
/** Alternatives of which none is empty, a dot or more than a part of the name. */
const PLAIN_ALTERNATIVES = /\{[\w-]+(?:,[\w-]+)+\}/g;
/** For zsh, the path of a program. */
const PROGRAM_PATH = /^=/;
/** What a shell removes when it has read it. */
const QUOTES = /['"]/g;
/** Where some readers end a path. */
const CUT = /[?#]/;
/** Links of the kernel to the folders and files of processes. */
const PROCESS_LINK = /^\/(?:proc\/.*\/(?:root|cwd|fd)|dev\/fd)(?:\/|$)/;
/** A drive letter or a URL scheme. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** A file on this machine, as every reader reads it: no host, query, fragment or second slash. */
const FILE_URL = /^file:\/\/(?:localhost)?(\/(?!\/)[^?#\\]*)$/i;

/** @returns null when the text is not a plain, already resolved folder. */
export function parsePathBase(text: string): PathBase | null {
  const path = FILE_URL.exec(text)?.[1];
  if (path === undefined) return parsePlainBase(text);
  const base = parsePlainBase(path);
  return base === null ? null : { ...base, isFileUrl: true };
}

function parsePlainBase(text: string): PathBase | null {
  if (text === "" || isAmbiguous(text) || text.includes("\\")) return null;
  const absolute = text.startsWith("/");
  const segments = (absolute ? text.slice(1) : text).split("/");
  if (segments.at(-1) === "") segments.pop();
  if (text === ".") return { absolute, segments: [] };
  return segments.some((segment) => segment === "" || segment === "." || segment === "..")
    ? null
    : { absolute, segments };
}

/**
 * Whether a path lies in one of the folders, or is one; `unsure` if it does so only where case is ignored.
 * Symbolic links are not known here.
 * `.`, `..` and repeated slashes are resolved. A backslash is read both as separator and as ordinary
 * character, a shell removes both it and quotes, and all readings must agree. NUL and other control
 * characters, percent-encoding, `~`, drive letters, URL schemes, look-alikes of dots and slashes, variables,
 * globs that may be `..`, and names that some readers shorten (`.. `, `..;`) are never judged: the answer is
 * `unsure`. The answer is the same for a path that only a disk that ignores case has in a folder.
 * @param start an absolute folder in which relative paths begin; null when that is not known.
 */
export function pathWithin(path: string, bases: readonly PathBase[], start: PathBase | null = null): Within {
  const fileBases = bases.filter(({ isFileUrl }) => isFileUrl === true);
  if (fileBases.length === 0) return plainWithin(path, bases, start);
  const ofUrl = FILE_URL.exec(path)?.[1];
  const others = bases.filter(({ isFileUrl }) => isFileUrl !== true);
  const within = ofUrl === undefined ? plainWithin(path, others, start) : plainWithin(ofUrl, fileBases, null);
  // What lies outside the folders of its own kind may be one of the others in another spelling.
  const isOfOneKind = ofUrl !== undefined && others.length === 0;
  return within === "outside" && !isOfOneKind ? "unsure" : within;
}

function plainWithin(path: string, bases: readonly PathBase[], start: PathBase | null): Within {
  if (path === "" || isAmbiguous(path) || mayExpand(path)) return "unsure";
  const plain = withinAny(path, bases, start);
  if (plain === "outside" && PROCESS_LINK.test(path)) return "unsure";
  const unquoted = path.replaceAll(QUOTES, "");
  const readings = new Set([
    path.replaceAll("\\", "/"),
    path.replaceAll("\\", ""),
    unquoted,
    unquoted.replaceAll("\\", ""),
    path.slice(0, CUT.test(path) ? path.search(CUT) : undefined),
  ]);
  readings.delete(path);
  return [...readings].every((reading) => withinAny(reading, bases, start) === plain) ? plain : "unsure";
}

function isAmbiguous(path: string): boolean {
  if (path.startsWith("~") || PERCENT_ENCODED.test(path) || SCHEME.test(path)) return true;
  if (EXPANDED.test(path) || LOOKALIKE.test(path)) return true;
  if (path.split(/[/\\]/).some((name) => isShortened(name) || mayBeParent(name))) return true;
  for (let at = 0; at < path.length; at += 1) {
    const unit = path.charCodeAt(at);
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return true;
  }
  return false;
}

/** Whether a shell may make other names of it. No shell reads the folder that a policy names. */
function mayExpand(path: string): boolean {
  const names = path.replaceAll(QUOTES, "").split(/[/\\]/);
  return (
    PARAMETER.test(path) ||
    IN_PARENTHESES.test(path) ||
    ALTERNATIVES.test(path.replaceAll(PLAIN_ALTERNATIVES, "")) ||
    PROGRAM_PATH.test(path) ||
    names.some((name) => isShortened(name) || mayBeParent(name) || ANY_FOLDERS.test(name))
  );
}

function isShortened(name: string): boolean {
  return name !== "." && name !== ".." && SHORTENED.test(name);
}

/** A glob that begins with a dot, or braces or parentheses with two dots in them. */
const DOTTED_GLOB = /^\.[*?[]|^\.\.?[*?[]|[{}()].*\.\.|\.\..*[{}()]/;

const NOT_ASCII = /[^\0-\u007f]/;

/** Whether a reader may take the name for `..`: a shell that expands it, or one that normalises Unicode. */
function mayBeParent(name: string): boolean {
  if (DOTTED_GLOB.test(name)) return true;
  if (!NOT_ASCII.test(name)) return false;
  const plain = withoutMarks(name);
  return plain === "." || plain === ".." || /[/\\]/.test(plain);
}

function withoutMarks(name: string): string {
  return name.normalize("NFKD").replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "");
}

function withinAny(path: string, bases: readonly PathBase[], start: PathBase | null): Within {
  const isStarted = start !== null && !path.startsWith("/");
  const absolute = isStarted || path.startsWith("/");
  const segments = resolve(isStarted ? `/${start.segments.join("/")}/${path}` : path, absolute);
  let answer: Within = "outside";
  for (const base of bases) {
    // Where a relative path begins is not known, nor where one leads that climbs above its beginning.
    if (segments === null || base.absolute !== absolute) answer = "unsure";
    else if (base.segments.every((segment, at) => segments[at] === segment)) return "inside";
    else if (base.segments.every((segment, at) => isSameToSome(segments[at], segment))) answer = "unsure";
  }
  return answer;
}

/** A short name of Windows: the first characters of the long one, and a number. */
const SHORT_NAME = /^([^~.]{1,6})~[0-9]{1,6}(?:\.[^.]{1,3})?$/;

/** File systems may ignore case and how Unicode composes a character, shorten names, or have streams. */
function isSameToSome(name: string | undefined, other: string): boolean {
  if (name === undefined) return false;
  const [found = "", wanted] = [folded(name).split(":")[0], folded(other)];
  if (found === wanted) return true;
  const short = SHORT_NAME.exec(found)?.[1];
  return short !== undefined && wanted.replaceAll(/[ .]/g, "").startsWith(short.slice(0, 2));
}

function folded(name: string): string {
  return withoutMarks(name).toUpperCase().toLowerCase();
}

/** @returns null when a relative path climbs above where it begins. */
function resolve(path: string, absolute: boolean): string[] | null {
  const resolved: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") resolved.push(segment);
    else if (resolved.length > 0) resolved.pop();
    else if (!absolute) return null;
  }
  return resolved;
}
