/** Printable ASCII that no parser has to repair: two slashes, then no further one, and no backslash. */
const PLAIN = /^https?:\/\/(?![/\\])[\x21-\x5b\x5d-\x7e]+$/i;

/** Bytes of a URL: more than any receiver needs. */
const MAX_URL_BYTES = 2_048;

/** @returns why no request may be sent to the URL, before its host is looked up; null: it may */
export function refuseUrl(text: string): string | null {
  if (text.length > MAX_URL_BYTES) return `the URL must not be longer than ${String(MAX_URL_BYTES)} bytes`;
  if (!/^https?:/i.test(text)) return "the URL must begin with https:// or http://";
  if (!PLAIN.test(text))
    return "the URL must be printable ASCII: write other letters of a host as xn--..., of a path as %...";
  if (!URL.canParse(text)) return "the text is not a URL";
  const { username, password, hostname } = new URL(text);
  if (username !== "" || password !== "" || /^[^/?#]*@/.test(text.slice(text.indexOf("//") + 2)))
    return "the URL must not contain credentials";
  if (text.includes("#")) return "the URL must not contain a fragment";
  return hostname === "" ? "the URL names no host" : null;
}
