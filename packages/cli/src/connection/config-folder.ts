import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

type Surroundings = Pick<Terminal, "environment">;

/**
 * The folder of this user's settings, by the XDG Base Directory Specification. A relative path in a variable
 * is ignored, because with one the current folder would choose which server gets which key. Null: neither a
 * variable nor the user database names a folder.
 */
export function configFolder(
  { environment }: Surroundings,
  homeOfUser: () => string | null = homeInUserDatabase,
): string | null {
  const { XDG_CONFIG_HOME: xdg = "", HOME: home = "" } = environment;
  if (isAbsolute(xdg)) return join(xdg, "svc");
  const base = isAbsolute(home) ? home : homeOfUser();
  return base === null ? null : join(base, ".config", "svc");
}

/** @throws CommandFailure `usage` where there is none */
export function requireConfigFolder(terminal: Surroundings): string {
  const folder = configFolder(terminal);
  if (folder !== null) return folder;
  throw new CommandFailure(
    "usage",
    "there is no folder for your settings: expected an absolute path in HOME or XDG_CONFIG_HOME",
  );
}

function homeInUserDatabase(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch {
    // A container can run under a number that the database does not know.
    return null;
  }
}
