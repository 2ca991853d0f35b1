// long: it starts svc-cli many times
import { describe, expect, it } from "vitest";
import { cliFolder } from "../support/cli/cli-folder.ts";
import { execute } from "../support/server/api.ts";
import { keyInEnvironment } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const TIMEOUT_MS = 120_000;
const WHY = ["--reason", "a week of watching"];

const POLICY = `# watched since Monday
id: p
agent_id: agent-1
governance_mode: audit_only # look first
tools: { allowed: ["payments.*"] }
rules:
  - { id: big, match: { condition: { field: args.amount, operator: ">", value: 500 } }, action: deny }
`;

async function watched() {
  const { url } = await serverOfTest();
  const cli = await cliFolder(url);
  await cli.write("p.yaml", POLICY);
  expect(await cli.run("deploy", "p.yaml", ...WHY)).toMatchObject({ exitCode: 0 });
  for (const amount of [1, 2, 900]) await execute(url, { args: { amount } });
  return { url, cli };
}

describe("svc-cli governance", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-48
  it("shows what enforcement would have answered, and takes a policy there in steps", async () => {
    const { url, cli } = await watched();
    const status = await cli.run("governance", "status", "p");
    expect([status.exitCode, status.stderr]).toEqual([0, ""]);
    expect(status.stdout).toMatch(
      /^p version 1, audit_only\ndecided +3 calls since \S+, of 1 agent in 1 session\n/,
    );
    expect(status.stdout).toContain("enforcement would also have denied 1 and paused 0 that passed");
    expect(status.stdout).toMatch(/1 denied by the rule big: payments\.refund, such as \S+\.\d+/);
    expect(status.stdout).toContain('next      shadow: svc-cli governance promote p --reason "..."');

    const dry = await cli.run("governance", "promote", "p", ...WHY, "--dry-run");
    expect(dry).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("nothing was changed") as string,
    });
    expect(await cli.json("governance", "promote", "p", ...WHY)).toMatchObject({
      exitCode: 0,
      body: { mode_before: "audit_only", mode: "shadow", version: 2, confirmed: true },
    });
    const back = await cli.run("governance", "promote", "p", "--to", "audit_only", ...WHY);
    expect(back).toMatchObject({ exitCode: 2, stdout: "" });
    expect(back.stderr).toContain("--to: promote only goes forward, and p is in shadow; nothing was changed");
    expect(back.stderr).toContain("svc-cli deploy <file> --mode audit_only --reason");
    expect(back.stderr).toContain("svc-cli rollback p --reason");

    const enforced = await cli.run("governance", "promote", "p", ...WHY);
    expect(enforced.exitCode).toBe(0);
    expect(enforced.stdout).toMatch(
      /^p: shadow -> enforcement\. Calls that the policy denies or pauses will stop\.$/m,
    );
    expect(enforced.stdout).toMatch(/^undo +svc-cli rollback p --to 2 --reason "\.\.\."$/m);
    expect((await execute(url, { args: { amount: 900 } })).body).toMatchObject({
      decision: "deny",
      rule_id: "big",
    });
    const again = await cli.run("governance", "promote", "p", ...WHY);
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: "p is in enforcement already: nothing was changed\n",
    });
    const softer = await cli.run("governance", "promote", "p", "--to", "shadow", ...WHY);
    expect(softer).toMatchObject({ exitCode: 2, stdout: "" });
    expect(softer.stderr).toContain("p is in enforcement; nothing was changed. To go back to shadow: ");
    // The comments and the form of the text are those of the file.
    expect((await cli.run("policies", "get", "p")).stdout).toBe(POLICY.replace("audit_only", "enforcement"));
  });

  // proves CLI-49
  it("lists policies and versions, shows one, and prints the text that was deployed", async () => {
    const { cli } = await watched();
    await cli.write("p.yaml", POLICY.replace("500", "700"));
    expect(await cli.run("deploy", "p.yaml", ...WHY)).toMatchObject({ exitCode: 0 });
    const listed = await cli.run("policies", "list");
    expect(listed.stdout).toMatch(/^p\t2\taudit_only\tenabled\t\S+\t\S+\n$/);
    expect((await cli.run("policies", "list", "--mode", "shadow")).stdout).toBe("no policies\n");
    const history = await cli.run("policies", "versions", "p");
    expect(history.stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["2", "1", ""]);
    const shown = await cli.run("policies", "show", "p");
    expect(shown.stdout).toMatch(/^version: +2\nmode: +audit_only\nstate: +enabled$/m);
    expect(shown.stdout).toMatch(/^gateways: +1\/1 decide by this version$/m);
    expect((await cli.run("policies", "get", "p", "--version", "1")).stdout).toBe(POLICY);
    expect(await cli.json("policies", "get", "p", "--version", "1")).toMatchObject({
      body: { schema: "svc.cli.policy-text/v1", source: POLICY },
    });
    for (const args of [
      ["show", "none"],
      ["versions", "none"],
      ["get", "none"],
      ["get", "p", "--version", "9"],
    ])
      expect(await cli.run("policies", ...args)).toMatchObject({ exitCode: 1, stdout: "" });
  });

  // proves CLI-45
  it("compares a file with what runs, in meaning and in decisions", async () => {
    const { url, cli } = await watched();
    const same = await cli.run("diff", "p.yaml", "--exit-code");
    expect(same).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("No difference in meaning") as string,
    });
    await cli.write("p.yaml", POLICY.replace("audit_only", "enforcement"));
    const enforced = await cli.run("diff", "p.yaml", "--exit-code");
    expect(enforced.exitCode).toBe(1);
    expect(enforced.stdout).toContain('~ /governance_mode: "audit_only" -> "enforcement"');
    expect(enforced.stdout).toContain("1 of 3 would change (33%)");
    expect(enforced.stdout).toMatch(/1 newly denied by the rule big: payments\.refund, such as \S+\.\d+/);
    const lastTwo = ["diff", "p.yaml", "--replay", "2"] as const;
    // An author of policies may not read the log, and gets all decisions of the last quarter of an hour.
    expect(await cli.json(...lastTwo)).toMatchObject({ exitCode: 0, body: { decisions: { decisions: 3 } } });
    const reader = await cliFolder(url, await keyInEnvironment("admin", url));
    await reader.write("p.yaml", POLICY.replace("audit_only", "enforcement"));
    expect(await reader.json(...lastTwo)).toMatchObject({
      exitCode: 0,
      body: { schema: "svc.cli.diff-running/v1", decisions: { decisions: 2, changed: 1 } },
    });
    expect(await cli.json("diff", "p.yaml", "--replay", "0")).toMatchObject({ body: { decisions: null } });
    await cli.write("new.yaml", "id: new\ntools: { allowed: [a] }\n");
    const unknown = await cli.run("diff", "new.yaml");
    expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
    expect(unknown.stderr).toContain("the server has no policy new: svc-cli deploy makes it");
  });
});
