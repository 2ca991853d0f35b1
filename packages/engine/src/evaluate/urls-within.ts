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
  if (WHOLE_URL.test(begun)) return hostWithin(text, bounds);
  let found: Truth | null = null;
  for (const [, scheme = "", authority = "", trap] of text.matchAll(INNER_URL)) {
    const truth = trap === "" ? hostWithin(`${scheme}://${authority}/`, bounds) : "unsure";
    if (truth !== "fails") return "unsure";
    found = truth;
  }
  return found;
}
