/**
 * A folder of a `path_within` condition: its segments, from the root or from wherever relative paths begin.
 */
export interface PathBase {
  readonly absolute: boolean;
  readonly segments: readonly string[];
}

/** `unsure`: the path could mean different places to different readers, so nothing is claimed about it. */
export type Within = "inside" | "outside" | "unsure";

/** A percent-encoded byte: a later reader may or may not decode it. */
const PERCENT_ENCODED = /%[0-9A-Fa-f]{2}/;
/** A drive letter or a URL scheme. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** @returns null when the text is not a plain, already resolved folder. */
export function parsePathBase(text: string): PathBase | null {
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
 * Whether a path lies in one of the folders, or is one. Case-sensitive; symbolic links are not known here.
 * `.`, `..` and repeated slashes are resolved. A backslash is read both as separator and as ordinary
 * character, and the readings must agree. NUL and other control characters, percent-encoding, `~`, drive
 * letters and URL schemes are never judged: the answer is `unsure`.
 */
export function pathWithin(path: string, bases: readonly PathBase[]): Within {
  if (path === "" || isAmbiguous(path)) return "unsure";
  const plain = withinAny(path, bases);
  if (!path.includes("\\")) return plain;
  return withinAny(path.replaceAll("\\", "/"), bases) === plain ? plain : "unsure";
}

function isAmbiguous(path: string): boolean {
  if (path.startsWith("~") || PERCENT_ENCODED.test(path) || SCHEME.test(path)) return true;
  for (let at = 0; at < path.length; at += 1) {
    const unit = path.charCodeAt(at);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

function withinAny(path: string, bases: readonly PathBase[]): Within {
  const absolute = path.startsWith("/");
  const segments = resolve(path, absolute);
  let answer: Within = "outside";
  for (const base of bases) {
    // Where a relative path begins is not known, nor where one leads that climbs above its beginning.
    if (segments === null || base.absolute !== absolute) answer = "unsure";
    else if (base.segments.every((segment, at) => segments[at] === segment)) return "inside";
  }
  return answer;
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
