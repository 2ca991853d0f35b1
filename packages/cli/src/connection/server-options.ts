import type { EnvironmentVariable } from "@svc/process/environment-table";
import { parseHttpUrl } from "@svc/process/parsers";
import { EnvironmentError, readEnvironment } from "@svc/process/read-environment";
import { databaseHosts } from "@svc/store/database-hosts";
import { Option } from "commander";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ServerAddress } from "./server-connection.ts";

const DEFAULT_URL = "http://localhost:8080";

const SVC_URL: EnvironmentVariable<URL> = {
  parse: parseHttpUrl,
  fallback: new URL(DEFAULT_URL),
  defaultText: DEFAULT_URL,
  meaning: "Address of the server",
};

const SVC_API_KEY: EnvironmentVariable<string | null> = {
  parse: parseApiKey,
  fallback: null,
  defaultText: "none",
  meaning: "API key",
  secret: true,
};

const SVC_DATABASE_URL: EnvironmentVariable<string | null> = {
  parse: parseDatabaseUrl,
  fallback: null,
  defaultText: "none",
  meaning: "Database that `compliance audit-verify --database-url` verifies",
  secret: true,
};

/** Every variable that svc-cli reads. */
export const cliEnvironment = { SVC_URL, SVC_API_KEY, SVC_DATABASE_URL };

/** Options of every command that talks to a server. They win over the environment. */
export interface ServerOptions {
  readonly url?: string;
  readonly apiKey?: string;
}

export const urlOption = new Option("--url <url>", `address of the server (SVC_URL, default ${DEFAULT_URL})`);
export const apiKeyOption = new Option("--api-key <key>", "API key (SVC_API_KEY or SVC_API_KEY_FILE)");

/** Where to ask. Throws CommandFailure `usage` naming the option or variable that is wrong. */
export function readServerAddress(options: ServerOptions, { environment }: Terminal): ServerAddress {
  const values = readCliEnvironment(environment);
  return {
    url: options.url === undefined ? values.SVC_URL : parseOption("--url", options.url, SVC_URL),
    apiKey:
      options.apiKey === undefined
        ? values.SVC_API_KEY
        : parseOption("--api-key", options.apiKey, SVC_API_KEY),
  };
}

function readCliEnvironment(environment: Terminal["environment"]) {
  try {
    return readEnvironment(cliEnvironment, environment);
  } catch (error) {
    if (error instanceof EnvironmentError) throw new CommandFailure("usage", error.message, error);
    throw error;
  }
}

function parseOption<Value>(option: string, text: string, variable: EnvironmentVariable<Value>): Value {
  try {
    return variable.parse(text);
  } catch (error) {
    const expected = error instanceof Error ? error.message : String(error);
    const found = variable.secret === true ? "another text (not shown)" : JSON.stringify(text);
    throw new CommandFailure("usage", `${option}: expected ${expected}, found ${found}`, error);
  }
}

/** Where the database is: the option, or the variable when the option has no value. */
export function readDatabaseUrl(option: string | true, { environment }: Terminal): string {
  if (option === true) {
    const { SVC_DATABASE_URL: url } = readCliEnvironment(environment);
    if (url !== null) return url;
    throw new CommandFailure(
      "usage",
      "--database-url: expected an address here or in SVC_DATABASE_URL, found none",
    );
  }
  const url = parseOption("--database-url", option, SVC_DATABASE_URL) ?? "";
  // Other users of the machine can read the command line.
  if (databaseHosts(url).some((host) => new URL(host).password !== ""))
    throw new CommandFailure(
      "usage",
      "--database-url: expected an address without a password; put one with it into SVC_DATABASE_URL_FILE",
    );
  return url;
}

function parseDatabaseUrl(text: string): string {
  databaseHosts(text);
  return text;
}

function parseApiKey(text: string): string {
  if (!/^[!-~]+$/.test(text)) throw new Error("visible ASCII characters without spaces");
  return text;
}
