import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import type { Terminal } from "../frame/terminal.ts";

/** Read and written by its owner alone. */
const MODE = 0o600;

/** Where a new secret goes. The place is taken before the server makes the secret, which it shows once. */
export interface SecretOutput {
  /** The file that gets the secret; null: stdout. */
  readonly path: string | null;
  /** Writes the secret, so that a crash loses neither it nor the file's earlier text. */
  keep(secret: string): void;
  /** Removes what was prepared for a secret that does not come. */
  drop(): void;
}

/**
 * @param mayReplace whether the file may be there: the one that held the secret before
 * @throws CommandFailure `usage`
 */
export function openSecretOutput(
  out: string | undefined,
  mayReplace: boolean,
  { workingDirectory }: Pick<Terminal, "workingDirectory">,
): SecretOutput {
  if (out === undefined) return { path: null, keep: () => undefined, drop: () => undefined };
  const path = resolve(workingDirectory, out);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !mayReplace)
    throw new CommandFailure("usage", `--out: ${path} is there already: name a file that is not`);
  if (found !== undefined && !found.isFile())
    throw new CommandFailure("usage", `--out: expected a file, found something else at ${path}`);
  const unfinished = `${path}.new`;
  let descriptor: number | null = null;
  try {
    descriptor = openSync(unfinished, "wx", MODE);
  } catch (error) {
    throw new CommandFailure("usage", `--out: ${unfinished} cannot be made: ${readFault(error)}`, error);
  }
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  return {
    path,
    keep: (secret) => {
      if (descriptor !== null) {
        writeSync(descriptor, `${secret}\n`);
        fsyncSync(descriptor);
      }
      close();
      renameSync(unfinished, path);
    },
    drop: () => {
      close();
      rmSync(unfinished, { force: true });
    },
  };
}
