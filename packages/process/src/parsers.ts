import { isIPv6 } from "node:net";

/**
 * Parsers for environment variables. Each throws an Error that says what was expected, as a noun phrase; it
 * never repeats the text, which may be a secret.
 */

/** Where to listen. */
export interface ListenText {
  readonly host: string;
  readonly port: number;
}

const LISTEN = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9][A-Za-z0-9.-]*)):(0|[1-9][0-9]{0,4})$/;
const MAX_PORT = 65_535;

/** `host:port`; IPv6 in brackets; port 0 picks a free one. */
export function parseListen(text: string): ListenText {
  const [, v6, name, port] = LISTEN.exec(text) ?? [];
  const host = v6 === undefined || isIPv6(v6) ? (v6 ?? name) : undefined;
  if (host === undefined || Number(port) > MAX_PORT)
    throw new Error("host:port, such as 127.0.0.1:8080 or [::1]:0");
  return { host, port: Number(port) };
}

/**
 * URL parsers repair malformed addresses. This pattern accepts only printable ASCII with exactly two slashes,
 * so that nothing needs repair.
 */
const HTTP_ADDRESS = /^https?:\/\/(?!\/)[\x21-\x7e]+$/i;

/** An absolute http or https address without user, query or fragment. */
export function parseHttpUrl(text: string): URL {
  const url = HTTP_ADDRESS.test(text) && !/[@?#\\]/.test(text) ? URL.parse(text) : null;
  if (url === null) throw new Error("an http:// or https:// address without user, query or fragment");
  return url;
}

/**
 * The text of an address for a message, without user and password. A text that is refused may hold them, too:
 * all between its scheme and its last `@` counts.
 */
export function hideUser(text: string): string {
  const at = text.lastIndexOf("@");
  const scheme = text.indexOf("://");
  if (scheme !== -1 && scheme < at) return `${text.slice(0, scheme + 3)}***${text.slice(at)}`;
  return text.slice(0, Math.max(at, 0)).includes(":") ? `***${text.slice(at)}` : text;
}

/** A name takes no pattern: URL parsers accept `*` in a host. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?$/;

/**
 * Origins as browsers send them, separated by commas. There is no form for "any origin": `*` and `null` would
 * let every page in.
 */
export function parseOrigins(text: string): readonly string[] {
  const origins = text.split(",").map((part) => part.trim());
  for (const origin of origins) {
    const url = ORIGIN.test(origin) ? URL.parse(origin) : null;
    if (url === null || url.origin !== origin) {
      throw new Error(
        "exact origins separated by commas, such as https://ops.example.com,http://localhost:5173: scheme, " +
          "host in lower case and port, without a path; neither * nor null",
      );
    }
  }
  return origins;
}

/** Plain decimal digits. Other forms that JavaScript takes for numbers (0x10, 1e3, " 5", 010) are refused. */
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;

/** A whole number within bounds, both included. */
export function parseInteger(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!WHOLE_NUMBER.test(text) || value < minimum || value > maximum) {
      throw new Error(`a whole number from ${String(minimum)} to ${String(maximum)}`);
    }
    return value;
  };
}

/** One of a closed list, letter for letter. */
export function parseOneOf<const Choice extends string>(
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new Error(`one of ${choices.join(", ")}`);
    return choice;
  };
}

/** Only `true` and `false`. Other words that could mean one of them are refused. */
export function parseBoolean(text: string): boolean {
  return parseOneOf(["true", "false"])(text) === "true";
}

/** Any text. It is never empty, because an empty variable counts as unset. */
export function parseText(text: string): string {
  return text;
}
