import { randomBytes } from "node:crypto";
import { lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { CommandFailure } from "./exit-code.ts";
import { readFault } from "./read-fault.ts";

/** Bytes of randomness in the name of an unfinished file: a killed process leaves one behind. */
const NAME_BYTES = 6;

/**
 * A reader sees the old text or the new one, and a crash leaves one of them. A link stays a link, and the
 * file behind it changes.
 * @param newMode mode of a file that is not there yet; left out: it must be there
 * @throws CommandFailure `usage`
 */
export function replaceFile(path: string, text: string, newMode?: number): void {
  let unfinished: string | null = null;
  try {
    const isNew = newMode !== undefined && lstatSync(path, { throwIfNoEntry: false }) === undefined;
    const file = isNew ? path : realpathSync(path);
    const mode = isNew ? newMode : statSync(file).mode;
    unfinished = `${file}.${randomBytes(NAME_BYTES).toString("hex")}.tmp`;
    writeFileSync(unfinished, text, { mode, flush: true, flag: "wx" });
    renameSync(unfinished, file);
  } catch (error) {
    if (unfinished !== null) rmSync(unfinished, { force: true });
    throw new CommandFailure("usage", `${path} cannot be written: ${readFault(error)}`, error);
  }
}
