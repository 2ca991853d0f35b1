import { readFileSync } from "node:fs";
import type { EnvironmentTable, EnvironmentValues, EnvironmentVariable } from "./environment-table.ts";
import { hideUser } from "./parsers.ts";

/**
 * Every malformed variable at once. The message names each, what was expected and, unless secret, what came.
 */
export class EnvironmentError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the environment is malformed:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "EnvironmentError";
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a table of variables once. An empty variable counts as unset. An empty file that a `<NAME>_FILE`
 * names is a fault, because somebody meant to set a secret.
 * @throws EnvironmentError naming every malformed variable.
 */
export function readEnvironment<const Table extends EnvironmentTable>(
  table: Table,
  env: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, "utf8"),
): EnvironmentValues<Table> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(table)) {
    try {
      values[name] = readVariable({ name, variable, env, readFile });
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (faults.length > 0) throw new EnvironmentError(faults);
  return values as EnvironmentValues<Table>;
}

interface Reading {
  readonly name: string;
  readonly variable: EnvironmentVariable<unknown>;
  readonly env: Environment;
  readonly readFile: (path: string) => string;
}

function readVariable(reading: Reading): unknown {
  const { name, variable } = reading;
  const text = textOf(reading);
  if (text === null) return variable.fallback;
  try {
    return variable.parse(text);
  } catch (error) {
    const expected = error instanceof Error ? error.message : String(error);
    const found = variable.secret === true ? "another text (not shown)" : JSON.stringify(hideUser(text));
    throw new Error(`${name}: expected ${expected}, found ${found}`, { cause: error });
  }
}

function textOf({ name, variable, env, readFile }: Reading): string | null {
  const direct = env[name] ?? "";
  const path = variable.secret === true ? (env[`${name}_FILE`] ?? "") : "";
  if (direct !== "" && path !== "") throw new Error(`${name}: expected ${name} or ${name}_FILE, found both`);
  if (path === "") return direct === "" ? null : direct;
  const text = secretIn(`${name}_FILE`, path, readFile);
  if (text === "")
    throw new Error(`${name}_FILE: expected a file with a value, found ${JSON.stringify(path)} empty`);
  return text;
}

/** Files end in a line break that is not part of the secret. */
function secretIn(name: string, path: string, readFile: Reading["readFile"]): string {
  try {
    return readFile(path).trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}: expected a readable file, found ${JSON.stringify(path)}: ${why}`, {
      cause: error,
    });
  }
}
