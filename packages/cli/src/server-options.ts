import { readFile } from "node:fs/promises";
import { Option } from "commander";
import { CommandFailure } from "./exit-code.ts";
import type { ServerAddress } from "./server-connection.ts";
import type { Terminal } from "./terminal.ts";

const DEFAULT_URL = "http://localhost:8080";

/** Options of every command that talks to a server. They go before the environment. */
export interface ServerOptions {
  readonly url?: string;
  readonly apiKey?: string;
}

export const urlOption = new Option("--url <url>", `address of the server (SVC_URL, default ${DEFAULT_URL})`);
export const apiKeyOption = new Option("--api-key <key>", "API key (SVC_API_KEY or SVC_API_KEY_FILE)");

/** Where to ask. Throws CommandFailure `usage` naming the option or variable that is wrong. */
export async function readServerAddress(options: ServerOptions, terminal: Terminal): Promise<ServerAddress> {
  return { url: readUrl(options, terminal), apiKey: await readApiKey(options, terminal) };
}

function readUrl(options: ServerOptions, { environment }: Terminal): URL {
  const name = options.url === undefined ? "SVC_URL" : "--url";
  const text = options.url ?? nonEmpty(environment["SVC_URL"]) ?? DEFAULT_URL;
  const url = URL.parse(text);
  if (
    url === null ||
    !["http:", "https:"].includes(url.protocol) ||
    url.username !== "" ||
    url.search !== ""
  ) {
    throw new CommandFailure(
      "usage",
      `${name}: expected an http or https address, found ${JSON.stringify(text)}`,
    );
  }
  return url;
}

async function readApiKey(options: ServerOptions, { environment }: Terminal): Promise<string | null> {
  const key = nonEmpty(environment["SVC_API_KEY"]);
  const file = nonEmpty(environment["SVC_API_KEY_FILE"]);
  if (options.apiKey !== undefined) return checkKey("--api-key", options.apiKey);
  if (key !== null && file !== null) {
    throw new CommandFailure("usage", "SVC_API_KEY and SVC_API_KEY_FILE: expected one of them, found both");
  }
  if (file === null) return key === null ? null : checkKey("SVC_API_KEY", key);
  try {
    return checkKey("SVC_API_KEY_FILE", (await readFile(file, "utf8")).trim());
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure("usage", `SVC_API_KEY_FILE: ${file} cannot be read: ${String(error)}`, error);
  }
}

/** The key itself is a secret: no message repeats it. */
function checkKey(name: string, key: string): string {
  if (/^[!-~]+$/.test(key)) return key;
  throw new CommandFailure(
    "usage",
    `${name}: expected visible ASCII characters without spaces, found others or none`,
  );
}

function nonEmpty(value: string | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}
