import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@svc/process/free-port";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { neededArguments, type WalkedCommand, walkCommands } from "../support/cli/walk-commands.ts";
import type { ProgramResult } from "../support/processes/run-program.ts";
import { startEnvironment } from "../support/processes/start-environment.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const TIMEOUT_MS = 60_000;

/** Commands that a terminal starts, as count: a help reaches a terminal in one way, whatever the command. */
const STARTED = 6;

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> =>
  runCli(args, { XDG_CONFIG_HOME: "/none", USER: "ana", ...env });

let commands: readonly WalkedCommand[] = [];
beforeAll(async () => {
  commands = await walkCommands(run);
}, TIMEOUT_MS);

/** One command after the other says what it does: a message then names the command. */
async function forEach<Found>(
  of: readonly WalkedCommand[],
  look: (command: WalkedCommand) => Promise<Found>,
): Promise<readonly (readonly [string, Found])[]> {
  return Promise.all(of.map(async (command) => [command.words.join(" "), await look(command)] as const));
}

describe("every command", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-66
  it("has a help that begins with examples", () => {
    expect(commands.length).toBeGreaterThan(25);
    const without = commands.filter(
      ({ words, help }) => !new RegExp(`^Examples:\n .*svc-cli ${words.join(" ")}`).test(help),
    );
    expect(without.map(({ words }) => words.join(" "))).toEqual([]);
  });

  // proves CLI-66
  it("shows the same help on a terminal, without colours", async () => {
    const { TERM: _, ...around } = startEnvironment();
    const some = commands.filter(({ words }) => words.length < 2).slice(0, STARTED);
    const line = some
      .map(
        ({ words }) => `'${process.execPath}' '${CLI_ENTRY}' ${words.join(" ")} --help; printf '[%s]\\n' $?`,
      )
      .join("\n");
    const { stdout } = await promisify(execFile)(
      "script",
      ["-qec", `sh -c '${line.replaceAll("'", `'\\''`)}'`, "/dev/null"],
      {
        env: { ...around, TERM: "xterm" },
        maxBuffer: 16 * 1024 * 1024,
      },
    );
    expect(stdout.replaceAll("\r\n", "\n")).toBe(some.map(({ help }) => `${help}[0]\n`).join(""));
  });

  // proves CLI-66
  it("answers an unknown option with one line and exit code 2", async () => {
    const found = await forEach(commands, ({ words }) => run([...words, "--hlep"]));
    for (const [name, { exitCode, stdout, stderr }] of found) {
      expect([name, exitCode, stdout]).toEqual([name, 2, ""]);
      expect(stderr).toMatch(/^error: [^\n]+ See svc-cli[^\n]* --help\n$/);
    }
  });

  // proves CLI-66
  it("names the argument that is missing, with exit code 2", async () => {
    const needing = commands.filter((command) => neededArguments(command).length > 0);
    expect(needing.length).toBeGreaterThan(8);
    const found = await forEach(needing, ({ words }) => run(words));
    for (const [name, { exitCode, stdout, stderr }] of found) {
      expect([name, exitCode, stdout]).toEqual([name, 2, ""]);
      expect(stderr).toMatch(/^error: [^\n]+\n$/);
    }
  });

  // proves CLI-66
  it("shows the help of a group on stderr, with exit code 2", async () => {
    const groups = commands.filter(
      (command) => command.words.length > 0 && command.hasCommands && neededArguments(command).length === 0,
    );
    const found = await forEach(groups, ({ words }) => run(words));
    for (const [name, { exitCode, stdout, stderr }] of found) {
      expect([name, exitCode, stdout]).toEqual([name, 2, ""]);
      expect(stderr).toContain("Usage: svc-cli");
    }
  });
});

/** Words that a command needs to get as far as its server, where any text does not do. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  kill: ["agent", "agent-1"],
  "channels put": "chn_1 --email oncall@example.com".split(" "),
  "integrations add": "syslog --name s --host syslog.example.com".split(" "),
  "integrations update": "int_1 --disable".split(" "),
  diff: ["policy.yaml"],
  explain: ["gw_1f0c.41"],
  "guardrails put": ["guardrails.yaml"],
  "guardrails test": "policy.yaml --guardrail name-1".split(" "),
  "keys create": ["name-1", "--role", "agent"],
  "trust-rules create": "name-1 --issuer https://i.example --audience svc --subject job --role ci".split(" "),
  "webhooks resend": "whk_1 --since 1h".split(" "),
};

/** Drills that break a cluster of their own take no server. */
const OTHERWISE = /^drill (?:partition|crash|slow-database)$/;

async function makeSamples(): Promise<{ readonly cwd: string; readonly remove: () => Promise<void> }> {
  const { path: cwd, remove } = await makeTemporaryDirectory();
  await writeFile(join(cwd, "policy.yaml"), "id: p\ntools: { allowed: [ pay ] }\n");
  await writeFile(join(cwd, "guardrails.yaml"), "name-1: { detectors: [pii.iban] }\n");
  return { cwd, remove };
}

/** What asks a server: a command with an option for its key. */
async function askEach(
  url: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly (readonly [string, ProgramResult])[]> {
  const { cwd, remove } = await makeSamples();
  onTestFinished(remove);
  const online = commands.filter(
    ({ words, options }) => options.has("--api-key-stdin") && !OTHERWISE.test(words.join(" ")),
  );
  expect(online.length).toBeGreaterThan(5);
  return forEach(online, (command) => {
    const { words, options } = command;
    const args = SAMPLES[words.join(" ")] ?? neededArguments(command).map(sampleOf);
    const reason = options.has("--reason") ? ["--reason", "a test"] : [];
    const yes = options.has("--yes") ? ["--yes"] : [];
    const config = { XDG_CONFIG_HOME: join(cwd, "config"), USER: "ana", ...env };
    return runCli([...words, ...args, ...reason, ...yes, "--url", url], config, { cwd });
  });
}

function sampleOf(argument: string): string {
  return /policy|file|path/.test(argument) ? "policy.yaml" : "name-1";
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Each command with its exit code, and with its message when that is another one. */
function endsOf(found: readonly (readonly [string, ProgramResult])[], wanted: number): readonly unknown[] {
  return found
    .filter(([, { exitCode, stdout }]) => exitCode !== wanted || stdout !== "")
    .map(([name, { exitCode, stdout, stderr }]) => [name, exitCode, stdout, stderr]);
}

describe("every command that asks a server", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-67
  it.each<readonly [string, () => Promise<string>]>([
    ["nothing listens", async () => `http://127.0.0.1:${String(await findFreePort())}`],
    ["the connection is cut", () => listen((request) => request.socket.destroy())],
    ["a page comes in place of an answer", () => listen((_, response) => response.end("<html>Sign in"))],
  ])("ends with 3 when %s", async (_, address) => {
    expect(endsOf(await askEach(await address()), 3)).toEqual([]);
  });

  // proves CLI-67
  it("ends with 4 for a key that no server has made, and shows it nowhere", async () => {
    const { url } = await serverOfTest({ env: { SVC_AUTH: "on" } });
    const key = `svc_0123456789abcdef_${"ab".repeat(32)}`;
    expect(endsOf(await askEach(url, { SVC_API_KEY: key }), 4)).toEqual([]);
  });
});
