// long: it starts the hook once for each way to fail
import { execFileSync } from "node:child_process";
import { openSync } from "node:fs";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { ALLOW, DENY, PAUSE, shaped } from "../support/adapters/gateway-verdicts.ts";
import { startScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { type HookRun, runCliHook, runHookCommand, toolUse } from "../support/cli/run-hook.ts";
import { runAtTerminal } from "../support/processes/run-at-terminal.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";

const TIMEOUT_MS = 60_000;

const HOOK = ["hook", "claude-code", "--agent", "coder"];
const CALL = toolUse("Bash", { command: "ls" });

/** Tests that run at once have each their own: the global function does not know which of them calls it. */
type OnEnd = TestContext["onTestFinished"];

async function gatewayOfTest(onEnd: OnEnd = onTestFinished) {
  const gateway = await startScriptedGateway();
  onEnd(() => gateway.server.close());
  return gateway;
}

/** What Claude Code reads from stdout. */
function decisionIn(stdout: string): unknown {
  return (JSON.parse(stdout) as { readonly hookSpecificOutput: unknown }).hookSpecificOutput;
}

describe("svc-cli hook claude-code", { timeout: TIMEOUT_MS }, () => {
  // proves CODE-02
  it("asks as the agent and in the session of the client, and stays silent on an allow", async () => {
    const gateway = await gatewayOfTest();
    const env = { SVC_URL: gateway.url, SVC_API_KEY: "svc_key_secret" };
    for (const tool of ["Bash", "mcp__github__create_issue"]) {
      const input = toolUse(tool, { command: "ls" }, { agent_id: "sub", agent_type: "Explore" });
      expect(await runCliHook([...HOOK, "--namespace", "dev"], { env, input })).toEqual({
        exitCode: 0,
        stdout: "",
        stderr: "",
      });
      expect(gateway.calls().at(-1)).toEqual({
        agent_id: "coder",
        session_id: "0af5d074-a449-44da-a67f-b83cb5eb3f25",
        tool,
        args: { command: "ls" },
        namespace: "dev",
      });
    }
    const headers = gateway.server.requests[0]?.headers;
    expect(headers?.["authorization"]).toBe("Bearer svc_key_secret");
    expect(headers?.["idempotency-key"]).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  // proves CODE-02
  it("takes what it is not told from the environment", async () => {
    const gateway = await gatewayOfTest();
    const keyFile = join(await temporaryDirectory(), "key");
    await writeFile(keyFile, "svc_key_secret\n");
    const env = { SVC_URL: gateway.url, SVC_AGENT_ID: "from-environment", SVC_API_KEY: "svc_other_secret" };
    const args = ["hook", "claude-code", "--api-key-file", keyFile];
    expect((await runCliHook(args, { env, input: CALL })).exitCode).toBe(0);
    expect(gateway.calls()).toMatchObject([{ agent_id: "from-environment" }]);
    expect(gateway.server.requests[0]?.headers["authorization"]).toBe("Bearer svc_key_secret");
  });

  // proves CODE-01
  it("asks the gateway itself, and not a proxy of the environment", async () => {
    const [gateway, proxy] = [await gatewayOfTest(), await gatewayOfTest()];
    gateway.answer(DENY);
    const proxies = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, ALL_PROXY: proxy.url };
    const env = { SVC_URL: gateway.url, NODE_USE_ENV_PROXY: "1", ...proxies };
    expect((await runCliHook(HOOK, { env, input: CALL })).exitCode).toBe(2);
    expect([gateway.calls().length, proxy.server.requests]).toEqual([1, []]);
  });

  // proves CODE-02
  it("blocks a deny and a pause with a reason for the model, and never asks a person", async () => {
    const gateway = await gatewayOfTest();
    const run = { env: { SVC_URL: gateway.url }, input: CALL };
    for (const [verdict, ...words] of [
      [DENY, "Bash was denied (rule closed): This is closed."],
      [PAUSE, "https://svc.example/approvals/1", "then make the same call again"],
    ] as const) {
      gateway.answer(verdict);
      const { exitCode, stdout, stderr } = await runCliHook(HOOK, run);
      expect(exitCode).toBe(2);
      for (const word of words) expect(stderr).toContain(word);
      expect(decisionIn(stdout)).toEqual({
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: stderr.trimEnd(),
      });
    }
  });

  // proves CODE-02
  it("hands rewritten arguments over whole, also where a pipe does not hold them at once", async () => {
    const gateway = await gatewayOfTest();
    const args = { command: "ls", note: "x".repeat(200_000) };
    gateway.answer(shaped(args));
    const { exitCode, stdout } = await runCliHook(HOOK, { env: { SVC_URL: gateway.url }, input: CALL });
    expect(exitCode).toBe(0);
    expect(decisionIn(stdout)).toMatchObject({ permissionDecision: "allow", updatedInput: args });
  });

  // proves CODE-03
  it("reports how an allowed call ended, once", async () => {
    const gateway = await gatewayOfTest();
    gateway.answer(ALLOW);
    const folder = await temporaryDirectory();
    const env = { SVC_URL: gateway.url, TMPDIR: folder };
    expect((await runCliHook([...HOOK, "--outcomes"], { env, input: CALL })).exitCode).toBe(0);
    const over = { hook_event_name: "PostToolUseFailure", tool_response: "\ud800", duration_ms: 36.4 };
    const input = toolUse("Bash", {}, over);
    const report = ["hook", "claude-code", "--agent", "coder", "--report"];
    const silent = { exitCode: 0, stdout: "", stderr: "" };
    for (const _ of [1, 2]) expect(await runCliHook(report, { env, input })).toEqual(silent);
    expect(gateway.outcomes()).toEqual([{ decision_id: "g.1", status: "failed", duration_ms: 36 }]);
    const [notes = ""] = await readdir(folder);
    expect(await readdir(join(folder, notes))).toEqual([]);
  });

  it("says that a report was lost, and not that the call was blocked", async () => {
    const gateway = await gatewayOfTest();
    const env = { SVC_URL: gateway.url, TMPDIR: await temporaryDirectory() };
    await runCliHook([...HOOK, "--outcomes"], { env, input: CALL });
    const away = { ...env, SVC_URL: `http://127.0.0.1:${String(await findFreePort())}` };
    const input = toolUse("Bash", {}, { hook_event_name: "PostToolUse" });
    const { exitCode, stderr } = await runCliHook([...HOOK, "--report"], { env: away, input });
    expect([exitCode, stderr]).toEqual([
      2,
      "The hook failed: The call ran. The report of its outcome was lost (ECONNREFUSED). The call is over.\n",
    ]);
  });
});

/** One way to fail: what is run, and a piece of the reason on stderr. */
interface Fault extends HookRun {
  readonly args?: readonly string[];
  readonly says: string;
}

const AWAY = { SVC_URL: "http://127.0.0.1:9" };

const FAULTS: Readonly<Record<string, Fault | ((onEnd: OnEnd) => Promise<Fault>)>> = {
  "no input": { input: "", says: "found nothing" },
  "input that is not JSON": { input: "deny", says: "stdin:1:1: not strict JSON" },
  "JSON that is not an object": { input: "[]", says: "expected a JSON object" },
  "two readings of a key": { input: '{"tool_name":"a","tool_name":"b"}', says: "not strict JSON" },
  "input that is cut off": { input: CALL.slice(0, -1), says: "not strict JSON" },
  "bytes that are not UTF-8": { input: Buffer.from([0x7b, 0xff]), says: "0xff" },
  "input that is too large": { input: " ".repeat(1_048_577), says: "more than 1048576 bytes" },
  "arguments that are too large": {
    input: toolUse("Write", { content: "x".repeat(300_000) }),
    says: "Write was denied",
  },
  "input that never ends": { input: null, says: "no end of it within 5000 ms" },
  "another event": { input: toolUse("Bash", {}, { hook_event_name: "Stop" }), says: "hook_event_name" },
  "the event in another case": {
    input: toolUse("Bash", {}, { hook_event_name: "preToolUse" }),
    says: 'expected "PreToolUse", found "preToolUse"',
  },
  "the report of a call that has not run": { args: [...HOOK, "--report"], says: "Remove --report" },
  "no session": { input: toolUse("Bash", {}, { session_id: null }), says: "session_id: expected" },
  "no tool": { input: toolUse("", {}), says: "tool_name: expected" },
  "a tool with a blank behind its name": { input: toolUse("a b ", {}), says: 'found "a b "' },
  "arguments that are a list": { input: toolUse("Bash", []), says: "tool_input: expected an object" },
  "a call id that is a number": { input: toolUse("Bash", {}, { tool_use_id: 1 }), says: "tool_use_id" },
  "no agent": { args: ["hook", "claude-code"], says: "Set --agent or SVC_AGENT_ID" },
  "an agent without a name": {
    args: ["hook", "claude-code", "--agent="],
    says: "--agent: expected a value, found none.",
  },
  "a misspelled option": { args: [...HOOK, "--outcome"], says: "did you mean --outcomes?" },
  "an option without its value": { args: ["hook", "claude-code", "--agent"], says: "--agent" },
  "an argument too many": { args: [...HOOK, "PreToolUse"], says: "PreToolUse" },
  "a misspelled client": { args: ["hook", "claude-cod"], says: "claude-cod" },
  "a misspelled command": { args: ["hok", "claude-code"], says: "hok" },
  "no client": { args: ["hook"], says: "hook" },
  "no command": { args: [], says: "Usage" },
  "an option before the command": { args: ["--agent", "a", ...HOOK], says: "--agent" },
  help: { args: ["hook", "claude-code", "--help"], says: "Examples:" },
  "an address that is none": { env: { SVC_URL: "gateway" }, says: "SVC_URL: expected" },
  "a timeout that is none": {
    env: { ...AWAY, SVC_DECISION_TIMEOUT_MS: "1e3" },
    says: "SVC_DECISION_TIMEOUT_MS",
  },
  "a key with a line break": { env: { ...AWAY, SVC_API_KEY: "a\nb" }, says: "SVC_API_KEY" },
  "a key file that is missing": { args: [...HOOK, "--api-key-file", "/no/key"], says: "ENOENT" },
  "a key file that is a pipe": async (onEnd) => {
    const path = join(await temporaryDirectory(onEnd), "pipe");
    execFileSync("mkfifo", [path]);
    return { args: [...HOOK, "--api-key-file", path], says: "it is not a regular file" };
  },
  "no gateway": { env: AWAY, says: "No answer came from the gateway" },
  "a gateway that is silent": (onEnd) =>
    atGateway(onEnd, (gateway) => gateway.failWith(() => {}), "no verdict within 300 ms", {
      SVC_DECISION_TIMEOUT_MS: "300",
    }),
  "no key": (onEnd) =>
    atGateway(onEnd, (gateway) => refuseWith(gateway, 401), "no API key was sent. Set SVC_API_KEY."),
  "a wrong key": (onEnd) =>
    atGateway(
      onEnd,
      (gateway) => refuseWith(gateway, 401),
      "it refused the API key. The words of the gateway.",
      KEY,
    ),
  "a key for another agent": (onEnd) =>
    atGateway(
      onEnd,
      (gateway) => refuseWith(gateway, 403),
      "the API key does not permit this call. The words of the gateway.",
      KEY,
    ),
  "a call id that had other arguments": (onEnd) =>
    atGateway(onEnd, (gateway) => refuseWith(gateway, 409), "no verdict. The words of the gateway.", KEY),
  "a redirect": (onEnd) =>
    atGateway(
      onEnd,
      (gateway) => gateway.failWith((_, response) => response.writeHead(307, { location: "/" }).end()),
      "status 307",
    ),
  "an allow without a row": (onEnd) =>
    atGateway(onEnd, (gateway) => gateway.answer({ ...ALLOW, decision_id: undefined }), "not a verdict"),
  "an unknown decision": (onEnd) =>
    atGateway(onEnd, (gateway) => gateway.answer({ ...ALLOW, decision: "ALLOW" }), "not a verdict"),
  "a folder of notes that others may open": async (onEnd) => {
    const TMPDIR = await temporaryDirectory(onEnd);
    const folder = join(TMPDIR, `svc-hook-${String(process.getuid?.())}`);
    await mkdir(folder);
    await chmod(folder, 0o777);
    const { env } = await atGateway(onEnd, () => {}, "");
    return {
      args: [...HOOK, "--outcomes"],
      env: { ...env, TMPDIR },
      says: "expected a folder that only this user",
    };
  },
  "a folder of notes that cannot be made": async (onEnd) => {
    const { env } = await atGateway(onEnd, () => {}, "");
    return { args: [...HOOK, "--outcomes"], env: { ...env, TMPDIR: "/proc/no" }, says: "The hook failed" };
  },
};

const KEY = { SVC_API_KEY: "svc_key_secret" };

function refuseWith(gateway: Awaited<ReturnType<typeof startScriptedGateway>>, status: number): void {
  gateway.failWith((_, response) =>
    response
      .writeHead(status, { "content-type": "application/problem+json" })
      .end('{"detail":"The words of the gateway."}'),
  );
}

async function atGateway(
  onEnd: OnEnd,
  prepare: (gateway: Awaited<ReturnType<typeof startScriptedGateway>>) => void,
  says: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Fault & { readonly env: Readonly<Record<string, string>> }> {
  const gateway = await gatewayOfTest(onEnd);
  prepare(gateway);
  return { env: { SVC_URL: gateway.url, ...env }, says };
}

describe.concurrent("a hook that gets no allow", { timeout: TIMEOUT_MS }, () => {
  // proves CODE-01
  it.for(Object.entries(FAULTS))("blocks: %s", async ([, fault], { onTestFinished: onEnd }) => {
    const { args = HOOK, says, ...run } = typeof fault === "function" ? await fault(onEnd) : fault;
    const { exitCode, stderr, stdout } = await runCliHook(args, { input: CALL, ...run });
    expect([exitCode, stdout.includes('"allow"')]).toEqual([2, false]);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("secret");
  });
});

describe("a person at a terminal", { timeout: TIMEOUT_MS }, () => {
  it("gets the help as a success", async () => {
    const help = [process.execPath, CLI_ENTRY, "hook", "claude-code", "--help"];
    const { exitCode, screen } = await runAtTerminal(help);
    expect([exitCode, screen]).toEqual([0, expect.stringContaining("svc-cli hook install")]);
  });
});

describe("a hook that is disturbed", { timeout: TIMEOUT_MS }, () => {
  // proves CODE-01
  it.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)("blocks at %s", async (signal) => {
    const gateway = await gatewayOfTest();
    const asked = Promise.withResolvers<void>();
    gateway.failWith(() => asked.resolve());
    const run = {
      env: { SVC_URL: gateway.url },
      input: CALL,
      onStart: (pid: number) => void asked.promise.then(() => process.kill(pid, signal)),
    };
    const { exitCode, stderr } = await runCliHook(HOOK, run);
    expect([exitCode, stderr]).toEqual([2, `The hook was ended by ${signal}. The call was blocked.\n`]);
  });

  // proves CODE-01
  it.each(["/dev/full", "/dev/null"])("blocks a rewritten call when stdout is %s", async (path) => {
    const gateway = await gatewayOfTest();
    gateway.answer(shaped({ command: "pwd" }));
    const run = { env: { SVC_URL: gateway.url }, input: CALL, out: openSync(path, "w") };
    const { exitCode, stderr } = await runCliHook(HOOK, run);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("could not write its answer");
  });

  // proves CODE-01
  it("blocks when nobody reads what it writes", async () => {
    const gateway = await gatewayOfTest();
    gateway.answer(shaped({ command: "pwd" }));
    const command = `(${commandOf(HOOK)}; echo $? >&2) | true`;
    const { stderr } = await runHookCommand(command, { env: { SVC_URL: gateway.url }, input: CALL });
    expect(stderr).toMatch(/EPIPE[^\n]*\n2\n$/);
  });

  // proves CODE-01
  it("blocks when neither stdout nor stderr can be written", async () => {
    const full = openSync("/dev/full", "w");
    expect(await runCliHook(HOOK, { env: AWAY, input: CALL, out: full, err: full })).toMatchObject({
      exitCode: 2,
    });
  });

  // proves CODE-01
  it("blocks when it has no stdin", async () => {
    const { exitCode, stderr } = await runHookCommand(`${commandOf(HOOK)} <&-`, { env: AWAY });
    expect([exitCode, stderr.length > 0]).toEqual([2, true]);
  });

  // proves CODE-01
  it.each([
    ["an exception that nobody caught", "setTimeout(() => { throw new Error('boom') }, 200)"],
    ["a promise that nobody caught", "setTimeout(() => { Promise.reject(new Error('boom')) }, 200)"],
    ["an exit that somebody else asked for", "setTimeout(() => process.exit(0), 200)"],
  ])("blocks after %s", async (_, code) => {
    const gateway = await gatewayOfTest();
    gateway.failWith(() => {});
    const preload = join(await temporaryDirectory(), "preload.cjs");
    await writeFile(preload, code);
    const env = { SVC_URL: gateway.url, NODE_OPTIONS: `--require=${preload}` };
    expect((await runCliHook(HOOK, { env, input: CALL })).exitCode).toBe(2);
  });
});

function commandOf(args: readonly string[]): string {
  return [process.execPath, CLI_ENTRY, ...args].map((part) => `'${part}'`).join(" ");
}
