import { type HostBounds, hostWithin } from "./host-within.ts";
import type { Truth } from "./truth.ts";

/** White space and control characters before a URL that readers skip. */
const SKIPPED = /^[\p{Cc}\p{White_Space}\ufeff]+/u;
/** Characters that readers remove wherever they stand. */
const REMOVED = /[\t\n\r]/g;

/** A text that is a URL as a whole: it begins with a scheme and an authority, or with one that needs none. */
const WHOLE_URL = /^(?:[A-Za-z][A-Za-z0-9+.-]+:[/\\]{2}|[/\\]{2}|(?:https?|wss?|ftp):)/i;

/** A URL inside a text, to the end of its authority. */
const INNER_URL = /([A-Za-z][A-Za-z0-9+.-]{1,15}):[/\\]{2}([^\s/?#"'<>`\\(){}[\],;|]*)([\\[]?)/g;

/**
 * What the URLs of any text say about hosts; null when the text is not and holds no URL. A URL inside other
 * text never makes the answer `holds`: who reads it, and how far, is not known.
 */
export function urlsWithin(text: string, bounds: HostBounds): Truth | null {
  const begun = text.replace(SKIPPED, "").slice(0, 32).replace(REMOVED, "");
  if (WHOLE_URL.test(begun)) return withInnerUrls(hostWithin(text, bounds), text, bounds);
  return innerUrls(text, bounds);
}

/** A server may fetch a URL within the path or query of another one, or send its caller there. */
function withInnerUrls(truth: Truth, text: string, bounds: HostBounds): Truth {
  const start = text.search(/[^/\\:][/?#]/);
  if (truth !== "fails" || start === -1) return truth;
  const rest = text
    .slice(start + 1)
    .replaceAll(ENCODED_MARK, (mark) => MARKS.get(mark.toLowerCase()) ?? mark);
  return innerUrls(rest, bounds) === "unsure" ? "unsure" : truth;
}

/** The marks of a URL as a query encodes them. */
const ENCODED_MARK = /%(?:3a|2f)/gi;
const MARKS: ReadonlyMap<string, string> = new Map([
  ["%3a", ":"],
  ["%2f", "/"],
]);

function innerUrls(text: string, bounds: HostBounds): Truth | null {
  let found: Truth | null = null;
  for (const [, scheme = "", authority = "", trap] of text.matchAll(INNER_URL)) {
    const truth = trap === "" ? hostWithin(`${scheme}://${authority}/`, bounds) : "unsure";
    if (truth !== "fails") return "unsure";
    found = truth;
  }
  return found;
}
