import { nearestName } from "@svc/text/nearest-name";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type Context, type Contexts, keyPathOf, readContexts, type Seams } from "./context-file.ts";
import { readEnvironments } from "./environment-file.ts";
import { readKeyFile, readKeyFromStdin } from "./read-key.ts";
import { readCliEnvironment, type ServerOptions, urlOf } from "./server-options.ts";

/** The server that a command asks, and as whom. */
export interface Connection {
  readonly url: URL;
  readonly apiKey: string | null;
  readonly orgId: string | null;
  /** Where the address comes from, for people: `--url`, `the context prod`. */
  readonly source: string;
  /** Set where no key is sent: contexts that have one for this address, and how to take it. */
  readonly withoutKey?: () => string | null;
  /** The name to type before a change of policies; left out where that is not asked for. */
  readonly protectedName?: string;
  /** The addresses of adapters that the context names. */
  readonly seams?: Seams | undefined;
}

/** Where a server is, and by which context. */
export type Address = Pick<Connection, "url" | "source" | "protectedName"> & {
  readonly context: Context | null;
  /** Whether the command line names the context, which then wins over the environment. */
  readonly isNamed: boolean;
};

/**
 * Settles the address and the key: options, then variables, then the user's current context. A key of a
 * context goes to the address of that context alone. `svc.yaml` counts only for the environment that `--env`
 * names, so that entering a folder sends no key anywhere.
 * @throws CommandFailure `usage`
 */
export async function resolveConnection(options: ServerOptions, terminal: Terminal): Promise<Connection> {
  const values = readCliEnvironment(terminal.environment);
  const { context, isNamed, ...address } = resolveAddress(options, terminal);
  const orgId = (isNamed ? context?.org_id : undefined) ?? values.SVC_ORG_ID ?? context?.org_id ?? null;
  const known = { ...address, orgId, seams: context?.seams };
  if (options.apiKeyStdin === true) return { ...known, apiKey: await readKeyFromStdin(terminal) };
  const keyPath = context === null ? null : keyPathOf(context, terminal);
  const contextFirst = isNamed || values.SVC_API_KEY === null;
  if (keyPath !== null && contextFirst) return { ...known, apiKey: readKeyFile(keyPath) };
  if (values.SVC_API_KEY !== null) return { ...known, apiKey: values.SVC_API_KEY };
  return { ...known, apiKey: null, withoutKey: () => ownerOfKey(address.url, terminal) };
}

/** Which contexts have a key for this address, as a sentence; null: none has. */
function ownerOfKey({ href }: URL, terminal: Terminal): string | null {
  const named = Object.entries(readContexts(terminal).contexts).filter(
    ([, context]) => context.api_key_file !== undefined && new URL(context.url).href === href,
  );
  const [name] = named.map(([each]) => each);
  if (name === undefined) return null;
  return `No key was sent. The context ${name} has one for this address: name it with --context ${name}`;
}

/** Whether somebody said which server is asked. */
export function isServerNamed({ url, context, env }: ServerOptions, terminal: Terminal): boolean {
  if ((url ?? context ?? env) !== undefined) return true;
  return (terminal.environment["SVC_URL"] ?? "") !== "" || readContexts(terminal).current !== null;
}

/** The part of it that is not secret. @throws CommandFailure `usage` */
export function resolveAddress(
  options: Pick<ServerOptions, "url" | "context" | "env">,
  terminal: Terminal,
): Address {
  const { url, context, env } = options;
  const given = Object.entries({ "--url": url, "--context": context, "--env": env }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) {
    const names = given.map(([name]) => name).join(" and ");
    throw new CommandFailure("usage", `expected one of ${names}, found ${String(given.length)}`);
  }
  if (url !== undefined) return { url: urlOf(url), source: "--url", context: null, isNamed: true };
  if (env !== undefined) return environmentAddress(env, terminal);
  const contexts = readContexts(terminal);
  if (context !== undefined) return contextAddress(context, contexts, true);
  const values = readCliEnvironment(terminal.environment);
  const isSet = (terminal.environment["SVC_URL"] ?? "") !== "";
  if (isSet || contexts.current === null) {
    const source = isSet ? "SVC_URL" : "the default";
    return { url: values.SVC_URL, source, context: null, isNamed: false };
  }
  return contextAddress(contexts.current, contexts, false);
}

function contextAddress(name: string, { contexts }: Contexts, isNamed: boolean): Address {
  const context = contexts[name];
  if (context === undefined) throw unknown("context", name, Object.keys(contexts), "svc-cli context add");
  const url = new URL(context.url);
  const known = { url, source: `the context ${name}`, context, isNamed };
  return context.protected === true ? { ...known, protectedName: name } : known;
}

function environmentAddress(name: string, terminal: Terminal): Address {
  const environments = readEnvironments(terminal);
  if (environments === null)
    throw new CommandFailure(
      "usage",
      `--env ${name}: expected environments in svc.yaml of this folder, and there is no such file in ` +
        `${terminal.workingDirectory}. Go to the folder that has it, or name a context with --context`,
    );
  const environment = environments[name];
  if (environment === undefined)
    throw unknown(
      "environment",
      name,
      Object.keys(environments),
      `a line "${name}: { context: ... }" in ./svc.yaml`,
    );
  const { url, context, protected: isProtected } = environment;
  // The file of a folder can ask for more care than the user's own context, and never for less.
  const own = isProtected === true ? { protectedName: name } : {};
  const source = `the environment ${name}`;
  if (context !== undefined)
    return { ...contextAddress(context, readContexts(terminal), true), source, ...own };
  if (url === undefined) throw new Error("an environment has an address or a context");
  return { url: new URL(url), source, ...own, context: null, isNamed: true };
}

function unknown(what: string, name: string, known: readonly string[], how: string): CommandFailure {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? `make it with ${how}` : `did you mean ${nearest}?`;
  return new CommandFailure("usage", `no ${what} ${JSON.stringify(name)}: ${hint}`);
}
