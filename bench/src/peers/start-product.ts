import { existsSync } from "node:fs";
import { join } from "node:path";
import { type RunningChild, startChild } from "../child-process.ts";
import type { Bench } from "../scenario.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { profileFlags } from "./profile-flags.ts";

const ENTRY = join(import.meta.dirname, "..", "..", "..", "packages", "server", "dist", "main.js");

/** What a server on PostgreSQL does not start without. Nothing is stored under it. */
const SECRETS_KEY = Buffer.alloc(32, 1).toString("base64");

/**
 * Starts the server as built, in a process of its own, on a new database. `ready` is its URL.
 * @param env settings beyond those of a loopback server without authentication.
 */
export async function startProduct(
  bench: Bench,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningChild> {
  if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing: build first`);
  const folder = await temporaryFolder(bench.dataFolder, bench.cleanup);
  const secrets = "SVC_DATABASE_URL" in env ? { SVC_SECRETS_KEY: SECRETS_KEY } : {};
  return startChild([process.execPath, ...profileFlags(bench), ENTRY], {
    env: { SVC_LISTEN: "127.0.0.1:0", SVC_AUTH: "off", SVC_DATA_DIR: folder, ...secrets, ...env },
    readiness: { kind: "line", read: listeningUrl },
    cleanup: bench.cleanup,
  });
}

function listeningUrl(line: string): string | null {
  if (!line.includes('"msg":"listening"')) return null;
  const { url } = JSON.parse(line) as { readonly url?: string };
  return url ?? null;
}
