/** Longest text in one response header, in characters. Proxies copy headers into buffers of limited size. */
const MAX_HEADER_TEXT = 512;

/**
 * Longest URL in a response header, in characters. A cut URL would be wrong, so a longer one is
 * left out completely.
 */
const MAX_HEADER_URL = 2_048;

/**
 * Makes any text safe as a header value: printable ASCII on one line. Other characters are replaced, and a
 * long text is cut.
 */
export function headerText(text: string): string {
  const ascii = text.replace(/[^\x20-\x7e]/g, "?").trim();
  return ascii.length > MAX_HEADER_TEXT ? `${ascii.slice(0, MAX_HEADER_TEXT - 3)}...` : ascii;
}

/** The header with a URL in its ASCII form. No header when the text is not an http(s) URL or is too long. */
export function headerUrl(name: string, text: string): Record<string, string> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return {};
  return url.href.length > MAX_HEADER_URL ? {} : { [name]: url.href };
}
