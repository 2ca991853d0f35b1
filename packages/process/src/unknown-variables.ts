import { nearestName } from "@svc/text/nearest-name";
import type { EnvironmentTable } from "./environment-table.ts";
import { KNOWN_VARIABLES } from "./known-variables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface UnknownVariable {
  readonly name: string;
  /** One sentence for an operator. */
  readonly message: string;
}

/** Letters that may differ between a mistyped name and the name that was meant. */
const MAX_TYPING_ERRORS = 3;

/**
 * What Kubernetes sets in every container of a namespace that has a Service whose name begins with `svc`.
 * Nobody mistyped these.
 */
const SERVICE_LINK = /_SERVICE_HOST$|_SERVICE_PORT(?:_[A-Z0-9_]+)?$|_PORT_[0-9]+_(?:TCP|UDP|SCTP)/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/** Variables that begin with SVC_ and that no program reads, each with the name that was probably meant. */
export function unknownVariables(env: Environment, table: EnvironmentTable): readonly UnknownVariable[] {
  const known = new Set([...Object.keys(table), ...KNOWN_VARIABLES]);
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith("SVC_") && !known.has(name) && !isServiceLink(name, value))
    .map(([name]) => ({ name, message: messageOf(name, nearestName(name, known, MAX_TYPING_ERRORS)) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The environment without the variables that no program reads. */
export function withoutUnknown(env: Environment, table: EnvironmentTable): Environment {
  const unknown = new Set(unknownVariables(env, table).map(({ name }) => name));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !unknown.has(name)));
}

function isServiceLink(name: string, value = ""): boolean {
  return SERVICE_LINK.test(name) || SERVICE_ADDRESS.test(value);
}

function messageOf(name: string, meant: string | null): string {
  const unknown = `unknown variable ${name}`;
  if (meant === null) return `${unknown}: no program reads it, so it has no effect`;
  return `${unknown}, did you mean ${meant}? No program reads ${name}, so it has no effect`;
}
