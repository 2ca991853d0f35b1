// long: it restarts a server, and a command waits for it

import { describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { withCliKey } from "../support/cli/cli-key.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { startCuttableLink } from "../support/proxies/cuttable-link.ts";
import { createPolicy, execute } from "../support/server/api.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const TIMEOUT_MS = 90_000;
const WITHIN = { timeout: 30_000, interval: 50 };

const cli = (url: string, ...args: readonly string[]) =>
  runCli(args, { SVC_URL: url, XDG_CONFIG_HOME: "/none" });

/** `audit tail -f`, once it has shown a row. */
async function follow(url: string, ...args: readonly string[]) {
  const words = ["audit", "tail", "-f", "-o", "ndjson", ...args];
  const tail = await startProcess(process.execPath, [CLI_ENTRY, ...words], {
    env: await withCliKey(words, { SVC_URL: url, XDG_CONFIG_HOME: "/none" }),
    ready: { line: /^\{/ },
  });
  const ids = (): string[] =>
    tail.lines.filter((line) => line.startsWith("{")).map((line) => String((JSON.parse(line) as Row).id));
  return { ...tail, ids };
}

interface Row {
  readonly id: string;
}

const calls = (url: string, count: number) => Promise.all(Array.from({ length: count }, () => execute(url)));

async function idsOf(url: string): Promise<readonly string[]> {
  const { exitCode, stdout } = await cli(url, "audit", "tail", "-n", "100000", "-o", "ndjson");
  expect(exitCode).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as Row).id);
}

describe("svc-cli audit tail -f", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-53
  it("shows every row once over kill -9 of the server, and ends with 130 by Ctrl-C", async () => {
    const dataDir = await temporaryDirectory();
    const first = await serverOfTest({ dataDir });
    await createPolicy(first.url);
    const tail = await follow(first.url, "-n", "1");
    // The server is killed while they run.
    const before = calls(first.url, 300).catch(() => undefined);
    await expect.poll(() => tail.ids().length, WITHIN).toBeGreaterThan(50);
    await first.stop("SIGKILL");
    await before;
    await expect.poll(() => tail.output(), WITHIN).toContain("trying again");
    const second = await serverOfTest({
      dataDir,
      env: { SVC_LISTEN: `127.0.0.1:${String(first.port)}` },
    });
    await calls(second.url, 50);
    // A list can lag behind: its newest rows may not be indexed yet.
    const differing = async (): Promise<readonly string[]> => {
      const all = await idsOf(second.url);
      const [expected, shown] = [all.slice(all.indexOf(tail.ids()[0] ?? "")), tail.ids()];
      return expected.length < shown.length
        ? shown.filter((id, at) => id !== expected[at])
        : expected.filter((id, at) => id !== shown[at]);
    };
    await expect.poll(differing, WITHIN).toEqual([]);
    expect(new Set(tail.ids()).size).toBe(tail.ids().length);
    expect(tail.output()).toContain("connected again");
    tail.signal("SIGINT");
    expect(await tail.exited).toBe(130);
  });

  // proves CLI-53
  it("goes on after the connection was cut, with the rows of the meantime", async () => {
    const server = await serverOfTest();
    await createPolicy(server.url);
    const link = await startCuttableLink(server.url);
    const tail = await follow(link.url, "-n", "1", "--agent", "agent-1", "--kind", "decision,policy");
    await calls(server.url, 3);
    await expect.poll(() => tail.ids().length, WITHIN).toBe(4);
    await link.cut();
    await calls(server.url, 20);
    await execute(server.url, { agent_id: "agent-2" });
    await link.mend();
    await expect.poll(() => tail.ids().length, WITHIN).toBe(24);
    expect(new Set(tail.ids()).size).toBe(24);
    await tail.stop();
    await link.close();
  });

  // proves CLI-53
  it("ends when nobody reads any more", async () => {
    const server = await serverOfTest();
    await createPolicy(server.url);
    const line = `"${process.execPath}" "${CLI_ENTRY}" audit tail -f -n 1; echo "ended $?" >&2`;
    const env = await withCliKey(["audit"], { SVC_URL: server.url });
    const ended = runProgram("sh", ["-c", `(${line}) | head -1`], env);
    let isOver = false;
    void ended.finally(() => {
      isOver = true;
    });
    await expect
      .poll(async () => {
        await execute(server.url);
        return isOver;
      }, WITHIN)
      .toBe(true);
    const { stdout, stderr } = await ended;
    expect(stdout.split("\n")).toHaveLength(2);
    expect(stderr).toBe("ended 0\n");
  });
});

describe("svc-cli audit", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-52, CLI-54
  it("finds rows by its filters, and shows and explains one", async () => {
    const server = await serverOfTest();
    await createPolicy(server.url);
    await calls(server.url, 2);
    const denied = await execute(server.url, { tool: "db.drop" });
    const id = String(denied.body["decision_id"]);
    const found = await cli(server.url, "audit", "tail", "--decision", "deny", "--since", "1h");
    expect(found.stdout.split("\t").slice(1, 7)).toEqual([
      id,
      "decision",
      "deny",
      "agent-1",
      "s-1",
      "db.drop",
    ]);
    const none = await cli(server.url, "audit", "tail", "--tool", "nothing");
    expect(none).toMatchObject({ exitCode: 0, stdout: "" });
    const shown = await cli(server.url, "audit", "show", id);
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toContain("(computed again: it fits)");
    expect(shown.stdout).toContain("decided again: the same decision was reached");
    const explained = await cli(server.url, "explain", id, "-o", "json");
    expect(JSON.parse(explained.stdout)).toMatchObject({
      schema: "svc.cli.explain-recorded/v1",
      decision_id: id,
      agrees: true,
    });
    expect(await cli(server.url, "audit", "show", "gw_none.1")).toMatchObject({ exitCode: 1, stdout: "" });
    expect(await cli(server.url, "audit", "tail", "--decision", "maybe")).toMatchObject({ exitCode: 2 });
  });

  // proves CLI-51
  it.each([
    ["audit", "tail"],
    ["audit", "tail", "-f"],
    ["audit", "show", "gw_1.1"],
    ["explain", "gw_1.1"],
  ])("%s %s %s says in one line that no server is there, and ends with 3", async (...args) => {
    const { exitCode, stdout, stderr } = await cli("http://127.0.0.1:1", ...args);
    expect([exitCode, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(
      /^error: the control plane at http:\/\/127\.0\.0\.1:1 \(SVC_URL\) does not answer.*\n$/,
    );
  });
});
