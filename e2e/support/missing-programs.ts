import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgresPrograms } from "@svc/store/testing/postgres-server";
import { hasLitellm } from "../guardrail/litellm-process.ts";
import { hasPortkey } from "../guardrail/portkey-process.ts";
import { hasInspector } from "../mcp/inspector-program.ts";
import { hasPythonClients } from "../mcp/python-mcp-client.ts";
import { findEnvoy } from "./envoy-process.ts";
import { findProgram } from "./find-program.ts";
import { forwardAuthProxies } from "./forward-auth-proxies.ts";

/** In CI nothing counts as missing: there a test that cannot run must fail. */
const mayMiss = !process.env["CI"];

/** What keeps tests from running on this machine, each a reason to leave them out. */
export const missing = {
  postgres: mayMiss && findPostgresPrograms() === null,
  strace: mayMiss && findProgram("strace") === null,
  envoy: mayMiss && findEnvoy() === null,
  nginx: mayMiss && forwardAuthProxies.some((proxy) => proxy.name === "nginx" && proxy.missing() !== null),
  openssl: mayMiss && findProgram("openssl") === null,
  python: mayMiss && findProgram("python3") === null,
  inspector: mayMiss && !hasInspector,
  pythonMcp: mayMiss && !hasPythonClients,
  portkey: mayMiss && !hasPortkey,
  litellm: mayMiss && !hasLitellm,
  faketime: mayMiss && findProgram("faketime") === null,
  ownFileSystems: mayMiss && !mayMount(),
} as const;

/** Only root may, and in many containers not even root. */
function mayMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), "svc-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "svc-test", path], { stdio: "ignore" });
    execFileSync("umount", [path]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(path);
  }
}
