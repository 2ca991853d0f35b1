import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseHttpUrl } from "@svc/process/parsers";
import { stringify } from "yaml";
import { z } from "zod";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/read-fault.ts";
import type { Terminal } from "../frame/terminal.ts";
import { byName } from "./by-name.ts";
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

/** Where the contexts of a user are, by the XDG Base Directory Specification. */
export function contextsPath({ environment }: Pick<Terminal, "environment">): string {
  const { XDG_CONFIG_HOME: xdg = "", HOME: home = "" } = environment;
  // The specification says to ignore a relative path.
  const base = xdg.startsWith("/") ? xdg : join(home === "" ? homedir() : home, ".config");
  return join(base, "svc", "contexts.yaml");
}

const NONE: Contexts = { current: null, contexts: {} };

export function readContexts(terminal: Pick<Terminal, "environment">): Contexts {
  const { current, contexts } = readSettingsFile(contextsPath(terminal), fileSchema) ?? NONE;
  return { current, contexts: byName(contexts) };
}

/** A reader sees the old file or the new one. @throws CommandFailure `usage` */
export function writeContexts(contexts: Contexts, terminal: Pick<Terminal, "environment">): void {
  const path = contextsPath(terminal);
  const unfinished = `${path}.${String(process.pid)}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, stringify(contexts), { mode: 0o600, flush: true });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new CommandFailure("usage", `${path} cannot be written: ${readFault(error)}`, error);
  }
}

/** The file of a context's key. A relative path begins at the folder of the contexts. */
export function keyPathOf(
  { api_key_file: path }: Context,
  terminal: Pick<Terminal, "environment">,
): string | null {
  return path === undefined ? null : resolve(dirname(contextsPath(terminal)), path);
}

function isHttpUrl(text: string): boolean {
  try {
    const { username, password } = parseHttpUrl(text);
    return username === "" && password === "";
  } catch {
    return false;
  }
}
