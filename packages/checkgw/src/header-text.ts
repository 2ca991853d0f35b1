/**
 * Longest text put into one response header, in characters: proxies copy it into their own, bounded buffers.
 */
const MAX_HEADER_TEXT = 512;

/**
 * Longest URL put into a response header, in characters. A cut URL would be a wrong one, so a longer one is
 * left out.
 */
const MAX_HEADER_URL = 2_048;

/** Makes any text safe as a header value: printable ASCII on one line, what does not fit replaced or cut. */
export function headerText(text: string): string {
  const ascii = text.replace(/[^\x20-\x7e]/g, "?").trim();
  return ascii.length > MAX_HEADER_TEXT ? `${ascii.slice(0, MAX_HEADER_TEXT - 3)}...` : ascii;
}

/** The header with a URL in its ASCII form, or no header when the text is no http(s) URL or too long. */
export function headerUrl(name: string, text: string): Record<string, string> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return {};
  return url.href.length > MAX_HEADER_URL ? {} : { [name]: url.href };
}
