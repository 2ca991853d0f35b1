import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runCaptured } from "../testing/run-captured.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const cli = (...args: readonly string[]) => runCaptured(args, { workingDirectory: folder });
const init = (...args: readonly string[]) => cli("init", ...args, "--yes");
const everyFile = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

const LONGEST = (at: number) => `t${String(at)}`.padEnd(128, "x");

describe("svc-cli init", () => {
  // proves CLI-60
  it.each<readonly [string, readonly string[], string]>([
    ["a list", ["--agent", "bot", "--tools", "a,b,c", "--read-only", "a"], "bot"],
    ["one tool that only reads", ["--agent", "bot", "--tools", "a", "--read-only", "a"], "bot"],
    ["names that YAML reads otherwise", ["--agent", "1.5", "--tools", "123,true,null,a:,0x1F,1:30,_"], "1.5"],
    ["an agent whose name cannot name a file", ["--agent", "team/bot:1", "--tools", "a"], "team-bot-1"],
    ["an agent whose file would be left out", ["--agent", "svc", "--tools", "a"], "svc-policy"],
    ["an agent whose file would be cases", ["--agent", "x.test", "--tools", "a"], "x.test-policy"],
    [
      "a tool with the name of the unlisted one",
      ["--agent", "bot", "--tools", "not.listed,not.listed_"],
      "bot",
    ],
    [
      "the most tools",
      ["--agent", "bot", "--tools", Array.from({ length: 500 }, (_, at) => LONGEST(at)).join()],
      "bot",
    ],
    ["a mode", ["--agent", "bot", "--tools", "a", "--mode", "shadow"], "bot"],
  ])("makes a policy of %s that passes every check", async (_, args, stem) => {
    const made = await init(...args);
    expect([made.exitCode, made.out.split("\n")[0]]).toEqual([
      0,
      `Created policies/${stem}.yaml, policies/${stem}.test.json, svc.yaml.`,
    ]);
    expect(await cli("validate", "policies", "--strict")).toMatchObject({ exitCode: 0 });
    expect(await cli("fmt", "policies", "--check")).toMatchObject({ exitCode: 0 });
    const [policy, cases] = [`policies/${stem}.yaml`, `policies/${stem}.test.json`];
    const tested = await cli("test", policy, "--mock", cases, "--threshold", "100");
    expect(tested.exitCode).toBe(0);
    expect(tested.out).not.toContain("failed");
  });

  // proves MCP-39
  it("takes a starter policy alone or for named tools, and offers the one that matches", async () => {
    const alone = await init("alone", "--agent", "bot", "--starter", "slack");
    expect(alone.exitCode).toBe(0);
    const policy = readFileSync(join(folder, "alone/policies/bot.yaml"), "utf8");
    expect(policy).toMatch(/id: ask-slack_post_message[^#]*covers:\n +- args.channel_id\n/);
    expect(await cli("validate", "alone/policies", "--strict")).toMatchObject({ exitCode: 0 });
    const names = "slack_list_channels,slack_get_users,mine";
    const some = ["--agent", "bot", "--tools", names, "--starter", "slack", "--read-only", "mine"];
    const named = await init("named", ...some, "-o", "json");
    const effects = (JSON.parse(named.out) as { tools: { effect: string }[] }).tools.map(
      ({ effect }) => effect,
    );
    expect(effects).toEqual(["reads", "reads", "reads"]);
    const time = ["--agent", "bot", "--tools", "read_graph,search_nodes,open_nodes,create_entities"];
    const more = "create_relations,add_observations,delete_entities,delete_observations";
    const offered = await init("offered", ...time.slice(0, 3), `${String(time[3])},${more}`, "-o", "json");
    expect(JSON.parse(offered.out)).toMatchObject({ starter: null, offered_starter: "memory" });
    for (const args of [
      ["--starter", "slak"],
      ["--starter", "slack", "--tools", "a"],
    ])
      expect(await init("none", "--agent", "bot", ...args)).toMatchObject({ exitCode: 2, out: "" });
  });

  // proves CLI-60
  it("prints three commands that work from where it ran", async () => {
    const made = await init("sub folder/x", "--agent", "bot", "--tools", "a", "-o", "json");
    const { next } = JSON.parse(made.out) as { next: readonly string[] };
    expect(next).toHaveLength(3);
    expect(next[0]).toBe("svc-cli validate 'sub folder/x/policies' --strict");
    expect(next[2]).toBe("svc-cli deploy 'sub folder/x/policies/bot.yaml'");
    expect(await cli("validate", "sub folder/x/policies", "--strict")).toMatchObject({ exitCode: 0 });
  });

  // proves CLI-60
  it.each([
    ["github", ".github/workflows/policies.yml", "-o github"],
    ["gitlab", ".gitlab-ci.yml", "-o junit > policies.xml"],
  ])("writes what %s runs, and its commands pass", async (system, file, form) => {
    expect(await init("--agent", "bot", "--tools", "a", "--ci", system)).toMatchObject({ exitCode: 0 });
    const text = readFileSync(join(folder, file), "utf8");
    expect(parse(text)).toBeTypeOf("object");
    const lines = [...text.matchAll(/(?:run:|-) svc-cli (.+)/g)].map(([, line = ""]) => line);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain(form);
    for (const line of lines) {
      const [words = ""] = line.split(" > ");
      expect(await cli(...words.split(" "))).toMatchObject({ exitCode: 0, error: "" });
    }
  });

  // proves CLI-61
  it("names every file that is there already, and writes none", async () => {
    writeFileSync(join(folder, "svc.yaml"), "mine");
    mkdirSync(join(folder, "policies"));
    writeFileSync(join(folder, "policies/bot.test.json"), "mine");
    const { exitCode, out, error } = await init("--agent", "bot", "--tools", "a");
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toContain("policies/bot.test.json, svc.yaml: are there already, and nothing was written");
    expect(everyFile()).toEqual(["policies/bot.test.json", "svc.yaml"]);
    expect(readFileSync(join(folder, "svc.yaml"), "utf8")).toBe("mine");
  });

  // proves CLI-61
  it("leaves nothing behind when one of the files cannot be created", async () => {
    symlinkSync("nowhere", join(folder, ".github"));
    const { exitCode, error } = await init("--agent", "bot", "--tools", "a", "--ci", "github");
    expect(exitCode).toBe(2);
    expect(error).toContain(".github/workflows/policies.yml: it could not be created");
    expect(readdirSync(folder)).toEqual([".github"]);
    writeFileSync(join(folder, "policies"), "a file where a folder is needed");
    const refused = await init("--agent", "bot", "--tools", "a");
    expect(refused).toMatchObject({ exitCode: 2, out: "" });
    expect(refused.error).toContain(
      "policies/bot.yaml: it could not be created: a part of its path is not a",
    );
    expect(readdirSync(folder).toSorted()).toEqual([".github", "policies"]);
  });

  // proves CLI-61
  it("creates nothing with --dry-run, nor where nobody can be asked", async () => {
    const dry = await cli("init", "--agent", "bot", "--tools", "a", "--dry-run");
    expect(dry).toMatchObject({ exitCode: 0 });
    expect(dry.out).toContain("governance_mode: enforcement\n");
    const unasked = await cli("init", "--agent", "bot", "--tools", "a");
    expect([unasked.exitCode, unasked.out]).toEqual([2, ""]);
    expect(unasked.error).toContain("pass --yes");
    expect(everyFile()).toEqual([]);
  });

  it.each([
    [["--agent", "bot"], "expected one of --tools a,b,c and --mcp <address or command>, found neither"],
    [["--agent", "bot", "--tools", "a", "--mcp", "x"], "found both"],
    [["--agent", "bot", "--tools", "a,,b"], "--tools: expected names with commas between them"],
    [["--agent", "bot", "--tools", "crm.*"], 'found "crm.*"'],
    [["--agent", "bot", "--tools", "a,a"], "--tools: expected each name once, found a twice"],
    [
      ["--agent", "bot", "--tools", "a", "--read-only", "b"],
      "--read-only: expected tools of the list, found b",
    ],
    [["--agent", "b*t", "--tools", "a"], "--agent: expected 1 to 256 bytes"],
    [["x*y", "--tools", "a"], 'the folder "x*y" is not the name of an agent. Name one: --agent my-agent'],
    [["--agent", "bot", "--mcp", "echo 'x"], "--mcp: expected closed quotes in the command"],
    [["--agent", "bot", "--mcp", "a | b"], "a character that only a shell understands"],
    [["--agent", "bot", "--mcp", "https://u:p@h/"], "--mcp: expected"],
    [
      ["--agent", "bot", "--tools", Array.from({ length: 501 }, (_, at) => `t${String(at)}`).join()],
      "at most 500",
    ],
  ])("refuses wrong options: %#", async (args, said) => {
    const { exitCode, out, error } = await init(...args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toContain(said);
    expect(everyFile()).toEqual([]);
  });
});
