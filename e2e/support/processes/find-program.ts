import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian keeps servers; an ordinary user's PATH lacks these. */
const SERVER_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Full path of a program, or null when this machine does not have it. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...SERVER_FOLDERS];
  const folder = folders.find((candidate) => candidate !== "" && existsSync(join(candidate, name)));
  return folder === undefined ? null : join(folder, name);
}
