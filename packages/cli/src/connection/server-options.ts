import type {
  EnvironmentTable,
  EnvironmentValues,
  EnvironmentVariable,
} from "@svc/process/environment-table";
import { hideUser, parseHttpUrl } from "@svc/process/parsers";
import { EnvironmentError, readEnvironment } from "@svc/process/read-environment";
import { databaseHosts } from "@svc/store/database-hosts";
import type { Command } from "commander";
import { CommandFailure } from "../frame/exit-code.ts";
import { shellWord } from "../frame/shell-word.ts";
import type { Terminal } from "../frame/terminal.ts";
import { parseApiKey, readSecretFile } from "./read-key.ts";

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

const SVC_ORG_ID: EnvironmentVariable<string | null> = {
  parse: (text) => text,
  fallback: null,
  defaultText: "none",
  meaning: "Organization, which may only repeat that of the key",
};

/** Every variable that svc-cli reads. */
export const cliEnvironment = { SVC_URL, SVC_API_KEY, SVC_ORG_ID, SVC_DATABASE_URL };

/** Options of every command that talks to a server. They win over the environment. */
export interface ServerOptions {
  readonly url?: string;
  /** Name of a context of this user. */
  readonly context?: string;
  /** Name of an environment of `svc.yaml`. */
  readonly env?: string;
  readonly apiKeyStdin?: boolean;
}

/** Adds the options that say which server is asked, and as whom. A key is never the value of an option. */
export function withServer(command: Command): Command {
  return withAddress(command).option(
    "--api-key-stdin",
    "read the API key from stdin; else SVC_API_KEY, SVC_API_KEY_FILE or the context",
  );
}

/** Adds the options that say which server is meant. */
export function withAddress(command: Command): Command {
  return command
    .option(
      "--url <url>",
      `address of the server (default: SVC_URL, else the current context, else ${DEFAULT_URL})`,
    )
    .option("--context <name>", "a context of yours: see svc-cli context list")
    .option("--env <name>", "an environment of ./svc.yaml");
}

/** @throws CommandFailure `usage` */
export function urlOf(text: string): URL {
  return parseOption("--url", text, SVC_URL);
}

export function readCliEnvironment(environment: Terminal["environment"]) {
  return readVariables(cliEnvironment, environment);
}

/** @throws CommandFailure `usage` naming every malformed variable */
export function readVariables<const Table extends EnvironmentTable>(
  table: Table,
  environment: Terminal["environment"],
): EnvironmentValues<Table> {
  try {
    return readEnvironment(table, environment, readSecretFile);
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
    const found = variable.secret === true ? "another text (not shown)" : JSON.stringify(hideUser(text));
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

/** The options that lead a command that is printed to the same server; each after a blank. */
export function addressWords({ url, context, env }: ServerOptions): string {
  if (url !== undefined) return ` --url ${shellWord(url)}`;
  if (context !== undefined) return ` --context ${shellWord(context)}`;
  return env === undefined ? "" : ` --env ${shellWord(env)}`;
}
