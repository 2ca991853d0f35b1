// long: it starts a server for each case, and a command waits for one that is gone
// waits: for programs that start and stop
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFolder, cliFolder } from "../support/cli/cli-folder.ts";
import { losingProxy } from "../support/proxies/losing-proxy.ts";
import { execute, send } from "../support/server/api.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { BOOTSTRAP_KEY, keyInEnvironment } from "../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest, startServer } from "../support/server/server-process.ts";

const TIMEOUT_MS = 120_000;
const WHY = ["--reason", "release 41"];

const policy = (tools: string, rest = ""): string => `# refunds
id: p
agent_id: agent-1
tools: { allowed: [${tools}] }
${rest}`;

const STRICT = `rules:
  - { id: big, match: { condition: { field: args.amount, operator: ">", value: 500 } }, action: deny }
`;

async function versions(url: string): Promise<readonly unknown[]> {
  const { body } = await send("GET", `${url}/api/v1/policies/p/versions`);
  return (body["versions"] as readonly unknown[] | undefined) ?? [];
}

async function folderOf(url: string, env: Readonly<Record<string, string>> = {}): Promise<CliFolder> {
  const folder = await cliFolder(url, env);
  await folder.write("p.yaml", policy("payments.*"));
  return folder;
}

/** One server for cases that store nothing. */
function sharedServer(): () => ServerProcess {
  let started: ServerProcess | null = null;
  beforeAll(async () => {
    started = await startServer();
  });
  afterAll(async () => {
    await started?.stop("SIGKILL");
  });
  return () => {
    if (started === null) throw new Error("the server has not started");
    return started;
  };
}

type Files = Readonly<Record<string, string>>;

describe("svc-cli deploy", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-03, CLI-42, CLI-44, CLI-45
  it("puts a policy into force, shows what a change would change, and rolls it back", async () => {
    const { url } = await serverOfTest();
    // An author of policies would not see the audit row.
    const cli = await folderOf(url, await keyInEnvironment("admin", url));
    const first = await cli.run("deploy", "p.yaml", ...WHY);
    expect([first.exitCode, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toMatch(
      /^deployed +p version 1, the first one, enforcement\ngateways +1\/1, \d+ ms\naudit row \S+\.\d+$/m,
    );
    for (const amount of [1, 2, 900]) await execute(url, { args: { amount } });

    const again = await cli.run("deploy", "p.yaml", ...WHY);
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("nothing was changed") as string,
    });
    await cli.write("p.yaml", policy("payments.*", STRICT));
    const dry = await cli.run("deploy", "p.yaml", "--dry-run");
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout).toContain("+ /rules/big");
    expect(dry.stdout).toContain("1 of 3 would change (33%)");
    const refused = await cli.run("deploy", "p.yaml", ...WHY, "--max-changed", "1%");
    expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("--max-changed allows 1%. Nothing was deployed");
    expect(await versions(url)).toHaveLength(1);

    const second = await cli.json("deploy", "p.yaml", ...WHY, "--max-changed", "40");
    expect(second).toMatchObject({
      exitCode: 0,
      body: {
        schema: "svc.cli.deploy/v1",
        policies: [
          {
            policy_id: "p",
            version: 2,
            confirmed: true,
            decisions: { decisions: 3, changed: 1 },
            undo: 'svc-cli rollback p --to 1 --reason "..."',
          },
        ],
      },
    });
    expect((await execute(url, { args: { amount: 900 } })).body).toMatchObject({
      decision: "deny",
      rule_id: "big",
    });
    const row = (second.body as { policies: [{ audit_row: string }] }).policies[0].audit_row;
    expect((await send("GET", `${url}/api/v1/audit/${row}`)).body).toMatchObject({
      row: { kind: "policy", policy_id: "p", policy_version: 2, why: "release 41" },
    });

    const back = await cli.run("rollback", "p", "--to", "1");
    expect(back.exitCode).toBe(0);
    const undone = /^audit row +(\S+)$/m.exec(back.stdout)?.[1] ?? "";
    expect((await send("GET", `${url}/api/v1/audit/${undone}`)).body).toMatchObject({
      row: { why: "svc-cli rollback" },
    });
    expect(back.stdout).toContain("- /rules/big");
    expect(back.stdout).toContain('undo      svc-cli rollback p --to 2 --reason "..."');
    expect((await execute(url, { args: { amount: 900 } })).body).toMatchObject({
      decision: "allow",
      policy_version: 3,
    });
  });

  // proves CLI-42
  it("stores nothing of a folder when a policy of it takes the agent of another one", async () => {
    const { url } = await serverOfTest();
    const cli = await folderOf(url);
    expect(await cli.run("deploy", "p.yaml", ...WHY)).toMatchObject({ exitCode: 0 });
    await cli.write("all/a.yaml", policy("payments.*, mail"));
    await cli.write("all/b.yaml", policy("x").replace("id: p", "id: other"));
    const { exitCode, stdout, stderr } = await cli.run("deploy", "all", ...WHY);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("policy other names agent_id agent-1, which is assigned to policy p");
    expect(await versions(url)).toHaveLength(1);
  });

  // proves CLI-43
  it("never overwrites a version that comes between", async () => {
    const { url } = await serverOfTest();
    const cli = await folderOf(url);
    expect(await cli.run("deploy", "p.yaml", ...WHY)).toMatchObject({ exitCode: 0 });
    const names = ["a", "b", "c"];
    for (const name of names) await cli.write(`${name}.yaml`, policy(`payments.*, ${name}`));
    const results = await Promise.all(names.map((name) => cli.run("deploy", `${name}.yaml`, ...WHY)));
    const winners = results.filter(({ exitCode }) => exitCode === 0);
    expect(await versions(url)).toHaveLength(1 + winners.length);
    expect(winners.length).toBeGreaterThan(0);
    for (const { stderr } of results.filter(({ exitCode }) => exitCode !== 0)) {
      expect(stderr).toMatch(/has changed since it was read[\s\S]*Policy p was not changed/);
    }
  });

  // proves CLI-43
  it("finds out what became of a change whose answer was lost", async () => {
    const { url } = await serverOfTest();
    await (await folderOf(url)).run("deploy", "p.yaml", ...WHY);
    const cli = await folderOf((await losingProxy(url, async () => undefined)).url);
    await cli.write("p.yaml", policy("payments.*, mail"));
    expect(await cli.json("deploy", "p.yaml", ...WHY)).toMatchObject({
      exitCode: 0,
      body: { policies: [{ stored: true, confirmed: true, version: 2 }] },
    });
  });

  // proves CLI-43
  it("says that nothing is known when the server is killed before it answers", async () => {
    const server = await serverOfTest();
    await (await folderOf(server.url)).run("deploy", "p.yaml", ...WHY);
    const cli = await folderOf((await losingProxy(server.url, () => server.stop("SIGKILL"))).url);
    await cli.write("p.yaml", policy("payments.*, mail"));
    const { exitCode, stdout, stderr } = await cli.run("deploy", "p.yaml", ...WHY);
    expect([exitCode, stdout]).toEqual([3, ""]);
    expect(stderr).toContain("It is not known whether version 2 of policy p is stored");
  });

  // proves CLI-42
  it("ends with 4 for a key that may not change policies, before anything is changed", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const { key } = await issueKey(operatorOf(server), { name: "reader", role: "auditor" });
    const cli = await folderOf(server.url, { SVC_API_KEY: key });
    expect(await cli.run("deploy", "p.yaml", ...WHY)).toMatchObject({ exitCode: 4, stdout: "" });
    const wrong = await folderOf(server.url, { SVC_API_KEY: `${BOOTSTRAP_KEY}x` });
    expect(await wrong.run("deploy", "p.yaml", ...WHY)).toMatchObject({ exitCode: 4, stdout: "" });
  });

  // proves CLI-43, REP-14
  it("compares with the version that runs, and not with what an earlier one recorded", async () => {
    const { url } = await serverOfTest();
    const cli = await folderOf(url);
    await cli.write("p.yaml", policy("payments.*", STRICT));
    expect((await cli.run("deploy", "p.yaml", ...WHY, "--mode", "shadow")).exitCode).toBe(0);
    expect((await execute(url, { args: { amount: 900 } })).body).toMatchObject({ decision: "allow" });
    const enforced = await cli.run("deploy", "p.yaml", ...WHY);
    expect(enforced.stdout).toContain("1 of 1 would change (100%)");
    expect(enforced.stdout).toContain("compared with what version 1, which runs, decides");
    await cli.write("p.yaml", `${policy("payments.*", STRICT)}session: { max_steps: 140 }\n`);
    const again = await cli.run("deploy", "p.yaml", ...WHY, "--max-changed", "1%");
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    expect(again.stdout).toContain("0 of 1 would change (0%)");
  });

  // proves CLI-03, CLI-45
  it("serves an author of policies, who may not read the audit log", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const operator = operatorOf(server);
    const { key } = await issueKey(operator, { name: "author", role: "policy_author" });
    const cli = await folderOf(server.url, { SVC_API_KEY: key });
    const first = await cli.run("deploy", "p.yaml", ...WHY);
    expect(first.exitCode).toBe(0);
    expect(first.stdout).not.toContain("audit row");
    const json = { agent_id: "agent-1", session_id: "s", tool: "payments.refund", args: { amount: 900 } };
    expect((await operator("POST", "gateway/execute", { json })).status).toBe(200);
    await cli.write("p.yaml", policy("payments.*", STRICT));
    const second = await cli.run("deploy", "p.yaml", ...WHY, "--max-changed", "1%");
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toContain(
      "would or may decide 100% of the last 1 recorded call otherwise than version 1",
    );
  });

  // proves CLI-47
  it("changes a protected environment only with --yes where nobody can be asked", async () => {
    const { url } = await serverOfTest();
    const cli = await folderOf(url, { SVC_URL: "", ...(await keyInEnvironment("policy_author", url)) });
    await cli.write("svc.yaml", `environments:\n  prod: { url: ${url}, protected: true }\n`);
    const unasked = await cli.run("deploy", "p.yaml", ...WHY, "--env", "prod");
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain(
      "the environment prod is protected, and this would change the policies p; nobody can be asked here",
    );
    expect(await versions(url)).toHaveLength(0);
    expect(await cli.run("deploy", "p.yaml", ...WHY, "--env", "prod", "--dry-run")).toMatchObject({
      exitCode: 0,
    });
    expect(await cli.run("deploy", "p.yaml", ...WHY, "--env", "prod", "--yes")).toMatchObject({
      exitCode: 0,
    });
    await cli.write("p.yaml", policy("payments.*, mail"));
    const next = await cli.run("deploy", "p.yaml", ...WHY, "--env", "prod", "--yes");
    expect(next.stdout).toContain('undo      svc-cli rollback p --to 1 --env prod --reason "..."');
  });
});

describe("svc-cli deploy of what must not be deployed", { timeout: TIMEOUT_MS }, () => {
  const server = sharedServer();

  // proves CLI-42
  it.each<[string, Files, readonly string[], readonly [number, RegExp]]>([
    [
      "a policy that no server takes",
      { "p.yaml": "id: p\nrulez: []\n" },
      ["p.yaml"],
      [1, /did you mean rules/],
    ],
    [
      "a policy that is too large",
      { "p.yaml": `id: p\n#${"x".repeat(300_000)}\n` },
      ["p.yaml"],
      [1, /262.?144|256/],
    ],
    [
      "a failing test",
      { "p.test.json": '[{"name":"pays","tool":"payments.refund","expect":{"decision":"deny"}}]' },
      ["p.yaml"],
      [1, /1 tests of p\.test\.json fail, such as pays/],
    ],
    [
      "two files of one policy",
      { "all/a.yaml": policy("x"), "all/b.yaml": policy("y") },
      ["all"],
      [2, /both policy p/],
    ],
    ["a folder without policies", { "none/readme.md": "" }, ["none"], [2, /found none/]],
    [
      "nothing to count changes by",
      {},
      ["p.yaml", "--max-changed", "1%", "--replay", "0"],
      [2, /--max-changed needs/],
    ],
    ["a share above all", {}, ["p.yaml", "--max-changed", "101%"], [2, /a number from 0 to 100/]],
  ])("changes nothing for %s", async (_name, files, args, [exitCode, text]) => {
    const { url } = server();
    const cli = await folderOf(url);
    for (const [name, content] of Object.entries(files)) await cli.write(name, content);
    const result = await cli.run("deploy", ...args, ...WHY);
    expect(result).toMatchObject({ exitCode, stdout: "" });
    expect(result.stderr).toMatch(text);
    expect(await versions(url)).toHaveLength(0);
  });
});
