import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { CommandFailure } from "./exit-code.ts";
import { readFault } from "./read-fault.ts";

/**
 * A reader sees the old text or the new one, and a crash leaves one of them. A link stays a link, and the
 * file behind it changes.
 * @throws CommandFailure `usage`
 */
export function replaceFile(path: string, text: string): void {
  let unfinished: string | null = null;
  try {
    const file = realpathSync(path);
    unfinished = `${file}.${String(process.pid)}.tmp`;
    writeFileSync(unfinished, text, { mode: statSync(file).mode, flush: true, flag: "wx" });
    renameSync(unfinished, file);
  } catch (error) {
    if (unfinished !== null) rmSync(unfinished, { force: true });
    throw new CommandFailure("usage", `${path} cannot be written: ${readFault(error)}`, error);
  }
}
