import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@svc/process/find-program";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** Builds the pinned release where Go is installed, once for each user. */
const INSTALL = join(ROOT, "scripts", "install-opa.ts");
const INSTALLED = join(ROOT, ".tools", "opa", "bin", "opa");

export type FoundOpa = { readonly program: string } | { readonly program: null; readonly reason: string };

/** Open Policy Agent on the PATH, else the one that Go builds. */
export async function findOpa(say: (line: string) => void): Promise<FoundOpa> {
  const onPath = findProgram("opa");
  if (onPath !== null) return { program: onPath };
  if (!existsSync(INSTALLED)) {
    if (findProgram("go") === null)
      return { program: null, reason: "OPA: not measured, because neither opa nor Go is on PATH" };
    say("opa: Go builds the pinned release, once for each user; it takes some minutes");
    await promisify(execFile)(process.execPath, [INSTALL]);
  }
  return { program: INSTALLED };
}
