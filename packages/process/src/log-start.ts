import type { EnvironmentTable } from "./environment-table.ts";
import type { Logger } from "./logger.ts";
import { unknownVariables } from "./unknown-variables.ts";
import { VERSION } from "./version.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Writes the first lines of a program's log: at info its version and the settings that differ from their
 * defaults, then one warning for each variable that no program reads. No value of a secret is written.
 */
export function logStart(
  log: Pick<Logger, "info" | "warn">,
  table: EnvironmentTable,
  env: Environment,
): void {
  log.info(
    { version: VERSION, node: process.versions.node, settings: changedSettings(table, env) },
    "starting",
  );
  for (const { name, message } of unknownVariables(env, table)) log.warn({ variable: name }, message);
}

/** The settings that differ from their defaults, as they were given; a secret is shown as "set". */
export function changedSettings(table: EnvironmentTable, env: Environment): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const [name, { defaultText, secret = false }] of Object.entries(table)) {
    const text = env[name] ?? "";
    const file = secret ? (env[`${name}_FILE`] ?? "") : "";
    if (secret && (text !== "" || file !== "")) settings[name] = "set";
    else if (text !== "" && text !== defaultText) settings[name] = text;
  }
  return settings;
}
