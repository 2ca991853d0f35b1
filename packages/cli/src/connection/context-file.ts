import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseHttpUrl } from "@svc/process/parsers";
import { stringify } from "yaml";
import { z } from "zod";
import { CommandFailure } from "../frame/exit-code.ts";
import { makeFolder, readFault, replaceFile } from "../frame/files.ts";
import type { Terminal } from "../frame/terminal.ts";
import { withLock } from "../frame/with-lock.ts";
import { byName } from "./by-name.ts";
import { configFolder, requireConfigFolder } from "./config-folder.ts";
import { readSettingsFile } from "./read-settings-file.ts";

export const urlSchema = z.string({ error: "expected an http(s) address" }).refine(isHttpUrl, {
  error: "expected an http(s) address without a password",
});

export const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/, { error: "expected a name of letters, digits, . _ and -" });

/** Whether a change of policies there asks for its name to be typed, or for `--yes`. */
export const protectedSchema = z.boolean({ error: "expected true or false" }).optional();
const seamsSchema = z.strictObject(
  {
    envoy: urlSchema.optional(),
    mcp: urlSchema.optional(),
    forward_auth: urlSchema.optional(),
    guardrail: urlSchema.optional(),
  },
  { error: "expected addresses by envoy, mcp, forward_auth and guardrail" },
);

/** Addresses at which calls pass an adapter. */
export type Seams = Readonly<z.output<typeof seamsSchema>>;

export const contextSchema = z.strictObject({
  url: urlSchema,
  /** The key itself is never kept here. */
  api_key_file: z.string({ error: "expected the path of a file" }).min(1).optional(),
  org_id: z.string({ error: "expected an organization" }).min(1).optional(),
  /** Where the adapters of this server are reached. */
  seams: seamsSchema.optional(),
  /** True: `svc-cli dev` made it, and removes it at its end. */
  temporary: z.literal(true, { error: "expected true" }).optional(),
  protected: protectedSchema,
});

export type Context = Readonly<z.output<typeof contextSchema>>;

const fileSchema = z.strictObject(
  {
    current: nameSchema.nullable().default(null),
    contexts: z.record(nameSchema, contextSchema, { error: "expected contexts by name" }).default({}),
  },
  { error: "expected an object with current and contexts" },
);
export type Contexts = Readonly<z.output<typeof fileSchema>>;

type Surroundings = Pick<Terminal, "environment">;

const FILE = "contexts.yaml";

/** Where the contexts of a user are. @throws CommandFailure `usage` */
export function contextsPath(terminal: Surroundings): string {
  return join(requireConfigFolder(terminal), FILE);
}

const NONE: Contexts = { current: null, contexts: {} };

export function readContexts(terminal: Surroundings): Contexts {
  const folder = configFolder(terminal);
  const found = folder === null ? null : readSettingsFile(join(folder, FILE), fileSchema);
  const { current, contexts } = found ?? NONE;
  return { current, contexts: byName(contexts) };
}

/** What a change makes of the contexts, and what else it found out. */
interface ContextChange<Value> {
  /** Null: they stay as they are. */
  readonly contexts: Contexts | null;
  readonly value: Value;
}

/**
 * Reads the contexts, and writes what `change` makes of them. No other svc-cli writes between the two, and a
 * reader sees the old file or the new one. @throws CommandFailure `usage`
 */
export async function changeContexts<Value>(
  terminal: Surroundings,
  change: (contexts: Contexts) => ContextChange<Value>,
): Promise<Value> {
  const folder = makeConfigFolder(terminal);
  const path = join(folder, FILE);
  return withLock(path, () => {
    const { contexts, value } = change(readContexts(terminal));
    if (contexts !== null && isEmpty(contexts)) rmSync(path, { force: true });
    else if (contexts !== null) replaceFile(path, stringify(contexts), 0o600);
    return value;
  });
}

/** Nothing is left that a file would keep. */
function isEmpty({ current, contexts }: Contexts): boolean {
  return current === null && Object.keys(contexts).length === 0;
}

/** The folder of this user's settings, which is made if it is missing. @throws CommandFailure `usage` */
export function makeConfigFolder(terminal: Surroundings): string {
  const folder = requireConfigFolder(terminal);
  try {
    makeFolder(folder);
    return folder;
  } catch (error) {
    throw new CommandFailure("usage", `${folder} cannot be made: ${readFault(error)}`, error);
  }
}

/** The file of a context's key. A relative path begins at the folder of the contexts. */
export function keyPathOf({ api_key_file: path }: Context, terminal: Surroundings): string | null {
  return path === undefined ? null : resolve(requireConfigFolder(terminal), path);
}

function isHttpUrl(text: string): boolean {
  try {
    const { username, password } = parseHttpUrl(text);
    return username === "" && password === "";
  } catch {
    return false;
  }
}
