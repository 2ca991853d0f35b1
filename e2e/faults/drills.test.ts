// peers: postgres
// long: each drill starts a cluster with a PostgreSQL of its own, and breaks it
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isLongRun } from "@svc/text/testing/runs";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { descendantsOf } from "../support/processes/process-family.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { SERVER_ENTRY } from "../support/server/server-process.ts";

const LYING_SERVER = join(import.meta.dirname, "..", "support", "cli", "lying-server.ts");

/** Milliseconds for one drill on a slow machine. */
const DRILL_MS = 180_000;

/** Milliseconds in which processes must be gone. */
const GONE_MS = 20_000;

/** Checks that the speed of the machine decides. */
const TIMED: ReadonlySet<string> = new Set(["propagation", "reported"]);

/** Lies of a gateway, and the check that must find each. Drills of one entry run side by side. */
const LIES = [
  { names: ["kill"], lies: [{ lie: "deaf", id: "no_call_after_kill" }] },
  // The judges of each drill are tested with observations of every fault beside their sources.
  ...(isLongRun
    ? [
        { names: ["crash"], lies: [{ lie: "lossy", id: "no_row_lost" }] },
        {
          names: ["partition", "slow-database"],
          lies: [
            { lie: "deaf", id: "denies_after_lease" },
            { lie: "slow", id: "answers_in_time" },
          ],
        },
      ]
    : []),
];

interface Check {
  readonly id: string;
  readonly gateway: string | null;
  readonly verdict: string;
}

interface Report {
  readonly verdict: string;
  readonly ended_early: string | null;
  readonly checks: readonly Check[];
}

async function runDrill(name: string, args: readonly string[]) {
  const file = join(await temporaryDirectory(), "report.note");
  const all = [CLI_ENTRY, "drill", name, "--gateways", "2", "--report", file, "-o", "json", ...args];
  return runProgram(process.execPath, all);
}

async function drill(name: string, args: readonly string[] = []) {
  const { exitCode, stdout, stderr } = await runDrill(name, args);
  // What it does, a line for each step.
  expect(stderr.replaceAll(/^drill [a-z-]+: .+\n/gm, "")).toBe("");
  const { report } = JSON.parse(stdout) as { readonly report: Report };
  const wrong = report.checks.filter(({ id, verdict }) => verdict !== "passed" && !TIMED.has(id));
  return { exitCode, report, wrong };
}

/** A program for `--server` that is right, but for what it lies about. */
async function lyingServer(lie: string): Promise<readonly string[]> {
  const path = join(await temporaryDirectory(), "server.mjs");
  const env = { LIE: lie, REAL_SERVER: pathToFileURL(SERVER_ENTRY).href };
  const set = `Object.assign(process.env, ${JSON.stringify(env)});\n`;
  await writeFile(path, `${set}await import(${JSON.stringify(pathToFileURL(LYING_SERVER).href)});\n`);
  return ["--server", path];
}

/** The folders that a process names on its command line, as PostgreSQL does. */
async function drillFolderOf(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${String(pid)}/cmdline`, "utf8").catch(() => "");
  return /\/tmp\/svc-drill-\w+/.exec(line)?.[0] ?? null;
}

async function isGateway(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${String(pid)}/cmdline`, "utf8").catch(() => "")).includes(
    "server/dist/main.js",
  );
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${String(pid)}`);
}

/** Starts a drill, and waits until its PostgreSQL and its gateways run. */
async function startedDrill(file: string) {
  const args = [CLI_ENTRY, "drill", "partition", "--gateways", "2", "--report", file];
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  const { pid = 0 } = child;
  const exited = once(child, "exit").then(([code]) => code as number | null);
  onTestFinished(() => void child.kill("SIGKILL"));
  const gateways = async () => (await Promise.all(descendantsOf(pid).map(isGateway))).filter(Boolean);
  await expect.poll(async () => (await gateways()).length, { timeout: DRILL_MS, interval: 100 }).toBe(2);
  const started = descendantsOf(pid);
  const folder = (await Promise.all(started.map(drillFolderOf))).find((found) => found !== null) ?? "";
  return { child, exited, started, folder };
}

// skip: the drills start PostgreSQL
describe.skipIf(missing.postgres)("drills", { timeout: DRILL_MS }, () => {
  // proves DRILL-01, DRILL-02, DRILL-03, DRILL-04
  it.each([
    ["kill", "partition"],
    ["crash", "slow-database"],
  ])("%s and %s, side by side, find nothing wrong", async (...names) => {
    for (const { report, wrong } of await Promise.all(names.map((name) => drill(name)))) {
      expect(report.ended_early).toBeNull();
      expect(wrong.filter(({ verdict }) => verdict !== "not_measured")).toEqual([]);
      // A stopped gateway may answer too late on a busy machine for a check to see an answer of it.
      expect(wrong.length).toBeLessThanOrEqual(1);
      expect(report.checks.length).toBeGreaterThan(10);
    }
  });

  // proves DRILL-01, DRILL-02, DRILL-03, DRILL-04
  it.each(LIES)("$names: a drill finds a gateway that breaks its promise", async ({ names, lies }) => {
    const drills = lies.map(async ({ lie, id }, at) => ({
      ...(await drill(names[at] ?? "", await lyingServer(lie))),
      id,
    }));
    for (const { exitCode, report, wrong, id } of await Promise.all(drills)) {
      expect([exitCode, report.verdict]).toEqual([1, "failed"]);
      const failed = wrong.filter(({ verdict }) => verdict === "failed");
      expect(failed.map((check) => check.id)).toContain(id);
      expect(failed.filter(({ gateway }) => gateway === "drill-1")).toEqual([]);
    }
  });

  // proves DRILL-05
  it("a drill whose time is over does not pass, and says so", async () => {
    const { exitCode, stdout, stderr } = await runDrill("crash", ["--time-limit", "10"]);
    expect(exitCode).toBe(5);
    // A busy machine may have started nothing by then. Otherwise a report says it.
    expect(stdout + stderr).toContain("the time limit of 10 s has passed");
    if (stdout === "") return;
    const { report } = JSON.parse(stdout) as { readonly report: Report };
    expect(report).toMatchObject({
      verdict: "not_measured",
      ended_early: "the time limit of 10 s has passed",
    });
  });

  it("Ctrl-C ends everything that a drill started, and removes its folder", async () => {
    const file = join(await temporaryDirectory(), "report.note");
    const { child, exited, started, folder } = await startedDrill(file);
    child.kill("SIGINT");
    expect(await exited).toBe(130);
    await expect.poll(() => started.filter(isAlive), { timeout: GONE_MS }).toEqual([]);
    expect([folder.startsWith("/tmp/svc-drill-"), existsSync(folder)]).toEqual([true, false]);
  });

  it("kill -9 of a drill ends everything that it started", async () => {
    const file = join(await temporaryDirectory(), "report.note");
    const { child, exited, started, folder } = await startedDrill(file);
    child.kill("SIGKILL");
    await exited;
    await expect.poll(() => started.filter(isAlive), { timeout: GONE_MS }).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
