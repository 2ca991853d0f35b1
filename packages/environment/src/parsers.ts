/** Parsers for environment variables. Each throws an Error that says what was expected. */

/** Where to listen. */
export interface ListenText {
  readonly host: string;
  readonly port: number;
}

const LISTEN = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})$/;
const MAX_PORT = 65_535;

/** `host:port`; IPv6 in brackets; port 0 picks a free one. */
export function parseListen(text: string): ListenText {
  const [, v6, host, port] = LISTEN.exec(text) ?? [];
  const name = v6 ?? host;
  if (name === undefined || Number(port) > MAX_PORT)
    throw new Error("host:port, such as 127.0.0.1:8080 or [::1]:0");
  return { host: name, port: Number(port) };
}

/** An absolute http or https address without user, query or fragment. */
export function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isHttp || url.username !== "" || url.search !== "" || url.hash !== "") {
    throw new Error("an http:// or https:// address without user, query or fragment");
  }
  return url;
}

/** A whole number within bounds, both included. */
export function parseInteger(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]{1,15}$/.test(text) || value < minimum || value > maximum) {
      throw new Error(`a whole number from ${String(minimum)} to ${String(maximum)}`);
    }
    return value;
  };
}

export function parseOneOf<const Choice extends string>(
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new Error(`one of ${choices.join(", ")}`);
    return choice;
  };
}

export function parseBoolean(text: string): boolean {
  return parseOneOf(["true", "false"])(text) === "true";
}

export function parseText(text: string): string {
  return text;
}
