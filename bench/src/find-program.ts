import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Full path of a program on PATH; null when it is not there. */
export function findProgram(name: string): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const folder = folders.find((candidate) => existsSync(join(candidate, name)));
  return folder === undefined ? null : join(folder, name);
}
