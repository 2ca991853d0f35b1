import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPeer, PEER_NAMES, type PeerName } from "./peer-programs.ts";

/** The peers that take part in this run, as the test runner names them; undefined: all that are installed. */
const chosen = process.env["SVC_TEST_PEERS"]?.split(",");

/** Why tests of a peer cannot run here; null: they can. In CI a chosen peer that is missing is a failure. */
export const missing = Object.fromEntries(PEER_NAMES.map((name) => [name, whyMissing(name)])) as Readonly<
  Record<PeerName, string | null>
>;

function whyMissing(name: PeerName): string | null {
  if (chosen !== undefined && !chosen.includes(name)) return `${name} does not take part (--peers)`;
  return process.env["CI"] || findPeer(name) !== null ? null : `${name} is not installed`;
}

/** Whether tests may not mount file systems: only root may, and in many containers not even root. */
export function cannotMount(): boolean {
  if (process.env["CI"]) return false;
  const path = mkdtempSync(join(tmpdir(), "svc-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "svc-test", path], { stdio: "ignore" });
    execFileSync("umount", [path]);
    return false;
  } catch {
    return true;
  } finally {
    rmdirSync(path);
  }
}
