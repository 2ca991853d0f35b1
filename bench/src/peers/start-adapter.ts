import { existsSync } from "node:fs";
import { join } from "node:path";
import { type RunningChild, startChild } from "../child-process.ts";
import type { Bench } from "../scenario.ts";
import { profileFlags } from "./profile-flags.ts";

const PACKAGES = join(import.meta.dirname, "..", "..", "..", "packages");

export type AdapterName = "checkgw" | "extproc" | "mcp-proxy";

/** Starts an adapter as built, in a process of its own. `ready` is its URL. */
export function startAdapter(
  bench: Bench,
  name: AdapterName,
  env: Readonly<Record<string, string>>,
): Promise<RunningChild> {
  const entry = join(PACKAGES, name, "dist", "main.js");
  if (!existsSync(entry)) throw new Error(`${entry} is missing: build first`);
  return startChild([process.execPath, ...profileFlags(bench), entry], {
    env,
    readiness: { kind: "line", read: (line) => addressIn(line, `svc-${name} listens`) },
    cleanup: bench.cleanup,
  });
}

function addressIn(line: string, message: string): string | null {
  if (!line.includes(`"msg":"${message}"`)) return null;
  const { url, address } = JSON.parse(line) as { readonly url?: string; readonly address?: string };
  return url ?? (address === undefined ? null : `http://${address}`);
}
