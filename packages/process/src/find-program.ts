import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian keeps servers; an ordinary user's PATH lacks these. */
const SERVER_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Full path of a program, or null when it is not there. @param path the folders, as in the variable PATH */
export function findProgram(name: string, path: string = process.env["PATH"] ?? ""): string | null {
  const folders = [...path.split(delimiter), ...SERVER_FOLDERS].filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(existsSync) ?? null;
}

/** Envoy as the tests install it, below the root of the checkout; or null. */
export function findInstalledEnvoy(root: string): string | null {
  const tools = join(root, ".tools");
  const folders = existsSync(tools) ? readdirSync(tools).filter((name) => /^envoy-[0-9.]+$/.test(name)) : [];
  return folders.map((name) => join(tools, name, "envoy", "_bin", "envoy")).find(existsSync) ?? null;
}
