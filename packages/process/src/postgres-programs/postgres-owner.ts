import { spawnSync } from "node:child_process";
import { chown } from "node:fs/promises";

/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = "nobody";

/** Makes the path the server's own, if it runs as another user than this process. */
export async function giveAway(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = idsOf(UNPRIVILEGED);
  await chown(path, uid, gid);
}

function idsOf(user: string): { uid: number; gid: number } {
  const read = (flag: string): number =>
    Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout.trim());
  return { uid: read("-u"), gid: read("-g") };
}

/** As root, through setpriv; otherwise as who we are. A bare environment keeps PG* variables out. */
export function asOwner(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  const bare = ["env", "-i", `PATH=${process.env["PATH"] ?? ""}`, "LC_ALL=C.UTF-8", program, ...args];
  if (process.getuid?.() !== 0) return ["/usr/bin/env", bare.slice(1)];
  const { uid, gid } = idsOf(UNPRIVILEGED);
  return ["setpriv", [`--reuid=${String(uid)}`, `--regid=${String(gid)}`, "--clear-groups", ...bare]];
}

/** @throws with its output when it fails */
export function runAsOwner(program: string, args: readonly string[]): void {
  const [command, commandArgs] = asOwner(program, args);
  const { status, stdout, stderr, error } = spawnSync(command, commandArgs, { encoding: "utf8", cwd: "/" });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}
