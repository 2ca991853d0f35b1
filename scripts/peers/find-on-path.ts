import { existsSync } from "node:fs";
import { join } from "node:path";

/** Debian puts servers where only root looks by default. */
export const serverFolders = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Whether a program is where a shell or an administrator would find it. */
export function isOnPath(program: string): boolean {
  const folders = [...(process.env["PATH"] ?? "").split(":"), ...serverFolders];
  return folders.some((folder) => folder !== "" && existsSync(join(folder, program)));
}
