import type { Detector, Span } from "./detector.ts";
import { isStandIn } from "./stand-in.ts";

const SCHEME_END = "://";

/** Ends where some reader ends the authority of a URL, and where a URL in a text ends. */
const AUTHORITY = /[^\s/?#"'<>`\\]*/y;

/** The password in a URL: what stands between the user's name and the host, `scheme://user:password@host`. */
export const urlPassword: Detector = {
  mayContain: (text) => text.includes("@") && text.includes(SCHEME_END),
  search: (text) => {
    let from = 0;
    return () => {
      // An authority ends before a slash, and the next one begins after two: it is not read again.
      for (let at = text.indexOf(SCHEME_END, from); at !== -1; at = text.indexOf(SCHEME_END, from)) {
        from = at + SCHEME_END.length;
        AUTHORITY.lastIndex = from;
        const authority = AUTHORITY.exec(text)?.[0] ?? "";
        const span = passwordIn(authority, from);
        // The colon of the next URL may end this authority.
        from += Math.max(0, authority.length - 1);
        if (span !== null && !isStandIn(text, span)) return span;
      }
      from = text.length;
      return null;
    };
  },
};

/** An `@` in a password may stand as it is: the last one ends it. */
function passwordIn(authority: string, offset: number): Span | null {
  const end = authority.lastIndexOf("@");
  const colon = authority.indexOf(":");
  if (colon === -1 || colon + 1 >= end) return null;
  return { start: offset + colon + 1, end: offset + end };
}
