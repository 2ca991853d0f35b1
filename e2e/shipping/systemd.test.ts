// peers: systemd-analyze, strace
import { cpSync, globSync, mkdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { execute } from "../support/server/api.ts";
import { SERVER_ENTRY } from "../support/server/server-process.ts";
import { startInstalledServer } from "./start-installed-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SHIPPED = join(ROOT, "deploy", "systemd");
const HARDENING = "svc-.service.d/hardening.conf";

/** `systemd-analyze security` counts from 0, everything is restricted, to 10, nothing is. */
const WORST_EXPOSURE = 1.3;

/** SQLite gives its files to the owner of the database when it runs as root. The unit names another user. */
const ONLY_AS_ROOT = process.getuid?.() === 0 ? ["fchown"] : [];

/** The units by the names that are started. */
const UNITS = globSync("*.service", { cwd: SHIPPED })
  .map((name) => basename(name).replace("@.", "@files."))
  .toSorted();

/** A root folder in which the shipped units are installed as docs/DEPLOY.md says. */
async function installedUnits(change: (hardening: string) => string = (text) => text): Promise<string> {
  const folder = await temporaryDirectory();
  const system = join(folder, "usr/lib/systemd/system");
  mkdirSync(join(folder, "opt/svc/bin"), { recursive: true });
  cpSync("/usr/lib/systemd/system", system, { recursive: true, verbatimSymlinks: true });
  cpSync(SHIPPED, join(folder, "etc/systemd/system"), { recursive: true });
  cpSync("/bin/true", join(folder, "opt/svc/bin/node"));
  const file = join(folder, "etc/systemd/system", HARDENING);
  await writeFile(file, change(await readFile(file, "utf8")));
  return folder;
}

async function analyze(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runProgram(programOf("systemd-analyze"), args);
  return `${stdout}${stderr}`.trim();
}

// proves OPS-51
// skip: a machine without systemd; the runner says why there is none
describe.skipIf(missing["systemd-analyze"])("the systemd units", () => {
  it("are those of every program that runs by itself", () => {
    expect(UNITS).toEqual([
      "svc-checkgw.service",
      "svc-extproc.service",
      "svc-mcp-proxy@files.service",
      "svc-server.service",
    ]);
  });

  it("have no fault that systemd-analyze finds", async () => {
    const folder = await installedUnits();
    expect(await analyze("verify", `--root=${folder}`, "--man=no", ...UNITS)).toBe("");
  });

  it("would be named by systemd-analyze if they had one", async () => {
    const folder = await installedUnits((text) => text.replace("RemoveIPC=yes", "RemoveIPCs=yes"));
    expect(await analyze("verify", `--root=${folder}`, "--man=no", ...UNITS)).toContain("RemoveIPCs");
  });

  it.each(UNITS)("%s is restricted as far as Node allows", async (unit) => {
    const folder = await installedUnits();
    const table = await analyze("security", "--offline=yes", `--root=${folder}`, "--no-pager", unit);
    const exposure = /Overall exposure level for \S+ ([0-9.]+)/.exec(table)?.[1];
    expect(Number(exposure)).toBeLessThanOrEqual(WORST_EXPOSURE);
  });
});

/** The system calls of a set, with those of the sets in it. */
function membersOf(name: string, sets: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const members = sets.get(name) ?? [];
  return members.flatMap((member) => (member.startsWith("@") ? membersOf(member, sets) : [member]));
}

async function systemCallSets(): Promise<ReadonlyMap<string, readonly string[]>> {
  const listing = await analyze("syscall-filter", "--no-pager");
  const sets = listing.split(/\n(?=@)/).map((text) => {
    const [name = "", ...lines] = text.split("\n");
    return [name, lines.map((line) => line.trim()).filter((line) => /^[@a-z]/.test(line))] as const;
  });
  return new Map(sets);
}

// proves OPS-51
// skip: a machine without systemd or strace; the runner says why
it.skipIf(missing["systemd-analyze"] || missing.strace)(
  "a server makes no system call that its unit refuses",
  async () => {
    const sets = await systemCallSets();
    const hardening = await readFile(join(SHIPPED, HARDENING), "utf8");
    expect(hardening.match(/^SystemCallFilter=.*$/gm)).toEqual([
      "SystemCallFilter=@system-service",
      "SystemCallFilter=~@privileged",
    ]);
    const refused = new Set(membersOf("@privileged", sets));
    const permitted = new Set(membersOf("@system-service", sets).filter((name) => !refused.has(name)));
    expect(permitted.size).toBeGreaterThan(200);
    const folder = await temporaryDirectory();
    const summary = join(folder, "calls");
    const traced = [programOf("strace"), "-f", "-c", "-o", summary, process.execPath, SERVER_ENTRY];
    const { server, url } = await startInstalledServer(traced, folder);
    expect((await execute(url)).status).toBe(200);
    await server.stop("SIGTERM");
    const lines = (await readFile(summary, "utf8")).split("\n");
    const called = lines
      .flatMap((line) => /^\s*\d[\d.]*\s.*\s([a-z][a-z0-9_]+)$/.exec(line)?.[1] ?? [])
      .filter((name) => name !== "total");
    expect(called.length).toBeGreaterThan(30);
    expect(called.filter((name) => !permitted.has(name) && !ONLY_AS_ROOT.includes(name))).toEqual([]);
  },
);
