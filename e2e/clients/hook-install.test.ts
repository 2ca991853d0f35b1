// long: it installs the hook once for each case
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DENY, PAUSE } from "../support/adapters/gateway-verdicts.ts";
import { startScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { type Home, homeBeside, type InstalledCli, installCli } from "../support/cli/hook-home.ts";
import { runHookCommand, toolUse } from "../support/cli/run-hook.ts";
import { makeTemporaryDirectory, temporaryDirectory } from "../support/processes/temporary-directory.ts";

const TIMEOUT_MS = 60_000;

/** The package that the users of most tests share. */
let shared: InstalledCli;

beforeAll(async () => {
  const { path, remove } = await makeTemporaryDirectory();
  shared = await installCli(path);
  return remove;
});

const homeOfTest = (text?: string): Promise<Home> => homeBeside(shared, text);

const INSTALL = ["install", "--agent", "coder"];

/** Nobody listens there. */
const AT_NO_GATEWAY = [...INSTALL, "--dry-run", "--url", "http://127.0.0.1:9", "--api-key-file", "key"];

describe("svc-cli hook install", { timeout: TIMEOUT_MS }, () => {
  // proves CODE-04
  it("shows the change, makes it once, and takes it back", async () => {
    const home = await homeOfTest('{\n  "model": "opus"\n}\n');
    const before = await readFile(home.settings, "utf8");
    const dry = await home.run(...AT_NO_GATEWAY);
    expect([dry.exitCode, dry.stderr]).toEqual([
      2,
      expect.stringContaining("--api-key-file: expected a readable"),
    ]);
    await writeFile(join(home.settings, "..", "..", "key"), "svc_id_secret");
    const shown = await home.run(...AT_NO_GATEWAY);
    expect(shown.stdout).toContain(
      "  hooks    PreToolUse, PostToolUse, PostToolUseFailure\n  agent    coder\n",
    );
    expect(shown.stdout).toMatch(/^ {2}gateway {2}http.*:9, by --url\n {2}API key {2}in \/.*\/key\n/m);
    expect(shown.stdout).toMatch(/^warning: until this is mended, every call is blocked: .*ECONNREFUSED/m);
    expect(shown.stdout).toContain('+   "hooks": {');
    const unasked = await home.run(...INSTALL);
    expect([unasked.exitCode, unasked.stderr]).toEqual([2, expect.stringContaining("pass --yes")]);
    expect(await readFile(home.settings, "utf8")).toBe(before);
    const made = await home.run(...INSTALL, "--yes");
    expect([made.exitCode, made.stderr]).toEqual([0, ""]);
    expect((await home.run(...INSTALL, "--yes")).stdout).toContain("nothing to change");
    expect((await home.run("uninstall", "--yes")).exitCode).toBe(0);
    // It may be the user's own.
    const left = '{\n  "model": "opus",\n  "disableSkillShellExecution": true\n}\n';
    expect(await readFile(home.settings, "utf8")).toBe(left);
  });

  // proves CODE-04
  it("writes project and local settings where it is told to", async () => {
    const home = await homeOfTest();
    for (const [scope, name] of [
      ["project", "settings.json"],
      ["local", "settings.local.json"],
    ] as const) {
      expect((await home.run(...INSTALL, "--scope", scope, "--yes")).exitCode).toBe(0);
      expect(await readFile(join(dirname(home.settings), name), "utf8")).toContain("--agent coder");
      expect((await home.run("uninstall", "--scope", scope, "--yes")).exitCode).toBe(0);
      const again = await home.run(...INSTALL, "--scope", scope, "--yes");
      expect(again.stdout).toContain(`svc-cli hook status --scope ${scope} --probe some.tool`);
    }
  });

  // proves CODE-04
  it.each([
    ["settings with a comment", "{} // none", INSTALL, "Comments are not JSON"],
    ["a wrong agent", "{}", ["install", "--agent", "my*coder"], "error: --agent: expected"],
    ["no agent", "{}", ["install"], "--agent"],
    ["a wrong address", "{}", [...INSTALL, "--url", "gateway"], "error: --url: expected"],
    [
      "a key file that is missing",
      "{}",
      [...INSTALL, "--api-key-file", "/no/key"],
      "error: --api-key-file: exp",
    ],
    [
      "hooks that are null",
      '{"hooks":null}',
      INSTALL,
      "settings.json: expected settings of Claude Code: hooks:",
    ],
    ["a wrong scope", "{}", [...INSTALL, "--scope", "team"], "--scope"],
  ])("refuses %s, and writes nothing", async (_, text, args, says) => {
    const home = await homeOfTest(text);
    const { exitCode, stderr } = await home.run(...args, "--yes");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(await readFile(home.settings, "utf8")).toBe(text);
  });
});

describe("the installed command", { timeout: TIMEOUT_MS }, () => {
  const input = toolUse("Bash", { command: "ls" });

  // proves CODE-04, CODE-05
  it("is absolute, asks the gateway, and has more time than the hook takes", async () => {
    const gateway = await startScriptedGateway();
    onTestFinished(() => gateway.server.close());
    const home = await homeOfTest();
    await home.run(...INSTALL, "--url", gateway.url, "--yes");
    const { command, timeout } = await home.hook("PreToolUse");
    expect(timeout).toBeGreaterThanOrEqual(40);
    expect(await runHookCommand(command, { input })).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    gateway.answer(DENY);
    expect((await runHookCommand(command, { input })).exitCode).toBe(2);
    expect(gateway.calls()).toHaveLength(2);
  });

  // proves CODE-04
  it("takes neither agent, address, namespace nor other code from a project's settings", async () => {
    const gateway = await startScriptedGateway();
    onTestFinished(() => gateway.server.close());
    const home = await homeOfTest();
    await home.run(...INSTALL, "--url", gateway.url, "--yes");
    const { command } = await home.hook("PreToolUse");
    const env = {
      SVC_URL: "http://127.0.0.1:9",
      SVC_AGENT_ID: "other",
      SVC_NAMESPACE: "lax",
      NODE_OPTIONS: "--require=/no/such.cjs",
    };
    expect((await runHookCommand(command, { input, env })).exitCode).toBe(0);
    expect(gateway.calls()).toEqual([expect.objectContaining({ agent_id: "coder", tool: "Bash" })]);
    expect(gateway.calls()[0]).not.toHaveProperty("namespace");
  });

  // proves CODE-05
  it.each([
    ["is missing", "", "exit 0"],
    ["is killed", "process.kill(process.pid, 'SIGKILL')", "137"],
    ["ends with 1", "process.exit(1)", "code 1"],
    ["ends with 3", "process.exit(3)", "code 3"],
    ["does not compile", "const const", "code 1"],
  ])("blocks when its program %s", async (_, code, says) => {
    const home = await homeBeside(await installCli(await temporaryDirectory()));
    await home.run(...INSTALL, "--yes");
    const { command } = await home.hook("PreToolUse");
    if (code === "") await rm(home.program, { recursive: true });
    else await writeFile(join(home.program, "main.js"), code);
    const { exitCode, stderr } = await runHookCommand(command, { input });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(code === "" ? "Cannot find module" : says);
    expect((await runHookCommand("/no/svc-cli hook claude-code", { input })).exitCode).toBe(127);
  });
});

/** A program of the right name that lets everything run. */
const PASSING = "./svc-cli hook claude-code --agent coder --url http://127.0.0.1:9";
const HOOK = { type: "command", command: `${PASSING} || exit 2`, timeout: 60, onFailure: "block" };

/** Settings under which Claude Code runs calls that the hook does not allow, and what the status says. */
const OPEN: Readonly<Record<string, readonly [object, string]>> = {
  "no hook": [{}, "no hook of svc-cli"],
  "a matcher": [{ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [HOOK] }] } }, 'matcher "Bash"'],
  "a short timeout": [{ hooks: { PreToolUse: [{ hooks: [{ ...HOOK, timeout: 5 }] }] } }, "timeout"],
  "no block at a failure": [
    { hooks: { PreToolUse: [{ hooks: [{ ...HOOK, onFailure: undefined }] }] } },
    "onFailure",
  ],
  "an asynchronous hook": [{ hooks: { PreToolUse: [{ hooks: [{ ...HOOK, async: true }] }] } }, "async"],
  "a command alone": [{ hooks: { PreToolUse: [{ hooks: [{ ...HOOK, command: PASSING }] }] } }, "|| exit 2"],
  "a command that passes everything": [
    { hooks: { PreToolUse: [{ hooks: [HOOK] }] } },
    "does not block input that is not JSON: it ended with code 0",
  ],
  "a condition": [{ hooks: { PreToolUse: [{ hooks: [{ ...HOOK, if: "Bash(rm *)" }] }] } }, 'if "Bash(rm *)"'],
  "an address that a project can set": [
    { hooks: { PreToolUse: [{ hooks: [{ ...HOOK, command: "./svc-cli hook claude-code || exit 2" }] }] } },
    "without --url",
  ],
  "a variable that turns hooks off": [
    { env: { CLAUDE_CODE_SIMPLE: "1" }, hooks: { PreToolUse: [{ hooks: [HOOK] }] } },
    "CLAUDE_CODE_SIMPLE",
  ],
  "shell commands of skills": [{ hooks: { PreToolUse: [{ hooks: [HOOK] }] } }, "disableSkillShellExecution"],
  "hooks that are off": [
    { disableAllHooks: true, hooks: { PreToolUse: [{ hooks: [HOOK] }] } },
    "disableAllHooks",
  ],
};

describe("svc-cli hook status", { timeout: TIMEOUT_MS }, () => {
  // proves CODE-06
  it("tries the installed hook", async () => {
    const home = await homeOfTest();
    await home.run(...INSTALL, "--url", "http://127.0.0.1:9", "--yes");
    const { exitCode, stdout } = await home.run("status");
    expect([exitCode, stdout.match(/^ok /gm)]).toEqual([0, ["ok ", "ok "]]);
    expect(stdout).toContain("note  not tried: whether the gateway decides. Add --probe");
  });

  // proves CODE-06
  it("says whether the gateway decides: a block alone does not show it", async () => {
    const gateway = await startScriptedGateway();
    onTestFinished(() => gateway.server.close());
    const home = await homeOfTest();
    await home.run(...INSTALL, "--url", gateway.url, "--yes");
    const probed = () => home.run("status", "--probe", "payments.refund");
    gateway.answer(DENY);
    const denied = await probed();
    expect([denied.exitCode, denied.stdout]).toEqual([
      0,
      expect.stringContaining("ok    the gateway denies a call"),
    ]);
    gateway.answer(PAUSE);
    expect((await probed()).stdout).toContain(
      "ok    the gateway paused a call of payments.refund, and opened",
    );
    await home.run(...INSTALL, "--url", "http://127.0.0.1:9", "--yes");
    const down = await probed();
    expect(down.exitCode).toBe(1);
    expect(down.stdout).toMatch(
      /^FAIL {2}no verdict about a call of payments.refund, so every call is blocked: .*ECONN/m,
    );
  });

  // proves CODE-06
  it.each<readonly [string, object, string]>([
    ["turn hooks off", { disableAllHooks: true }, "disableAllHooks is true"],
    ["start Claude Code without hooks", { env: { CLAUDE_CODE_SIMPLE: "1" } }, "env sets CLAUDE_CODE_SIMPLE"],
    [
      "hand the command to another program",
      { env: { CLAUDE_CODE_SHELL_PREFIX: "./x" } },
      "env sets CLAUDE_CODE_SHELL",
    ],
    ["choose the organization", { env: { SVC_ORG_ID: "other" } }, "env sets SVC_ORG_ID"],
    ["run shells of skills", { disableSkillShellExecution: false }, "disableSkillShellExecution is false"],
    ["load other code", { env: { LD_PRELOAD: "/tmp/x.so" } }, "env sets LD_PRELOAD"],
    ["choose the key", { env: { SVC_API_KEY: "svc_other_secret" } }, "env sets SVC_API_KEY"],
  ])("names settings of the project that %s", async (_, settings, says) => {
    const home = await homeOfTest();
    await home.run(...INSTALL, "--yes");
    await writeFile(join(dirname(home.settings), "settings.local.json"), JSON.stringify(settings));
    const { exitCode, stdout } = await home.run("status");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`^OPEN {2}.*settings.local.json: ${says}`, "m"));
    expect(stdout).not.toContain("secret");
  });

  // proves CODE-06
  it.each([
    "{",
    JSON.stringify({ env: { NODE_OPTIONS: "--require=/x.cjs", SVC_URL: "http://x", SVC_NAMESPACE: "x" } }),
  ])("does not call a way open that the installed command closes: %s", async (text) => {
    const home = await homeOfTest();
    await home.run(...INSTALL, "--yes");
    await writeFile(join(dirname(home.settings), "settings.local.json"), text);
    const { exitCode, stdout } = await home.run("status");
    expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining("OPEN")]);
  });

  // proves CODE-06
  it.each(Object.entries(OPEN))("names %s", async (_, [settings, says]) => {
    const home = await homeOfTest(JSON.stringify(settings));
    const { exitCode, stdout } = await home.run("status");
    expect(exitCode).toBe(1);
    expect(
      stdout
        .split("\n")
        .filter((line) => line.startsWith("OPEN"))
        .join("\n"),
    ).toContain(says);
  });
});
