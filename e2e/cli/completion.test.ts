// long: it starts svc-cli in shells
// peers: fish, zsh
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { startEnvironment } from "../support/processes/start-environment.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";

const TIMEOUT_MS = 60_000;

/** Longest that a shell may take for what is typed, in milliseconds. */
const SHELL_MS = 30_000;

let cwd = "";
let env: Readonly<Record<string, string>> = {};
let remove: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  ({ path: cwd, remove } = await makeTemporaryDirectory());
  const bin = join(cwd, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "svc-cli"), `#!/bin/sh\nexec '${process.execPath}' '${CLI_ENTRY}' "$@"\n`);
  await chmod(join(bin, "svc-cli"), 0o755);
  const { CI: _, PATH: path = "", ...around } = startEnvironment();
  env = { ...around, PATH: `${bin}${delimiter}${path}`, XDG_CONFIG_HOME: cwd, HOME: cwd, TERM: "dumb" };
  for (const [name, port] of [
    ["prod", "1"],
    ["staging", "2"],
  ] as const)
    await promisify(execFile)(
      join(bin, "svc-cli"),
      ["context", "add", name, "--url", `http://127.0.0.1:${port}`],
      { env },
    );
  await writeFile(join(cwd, "p.yaml"), "id: p\ntools: { allowed: [ pay ] }\n");
});
afterAll(() => remove());

/** Types lines into a shell on a terminal, and returns what the terminal shows. */
async function typed(shell: string, lines: readonly string[]): Promise<string> {
  const child = spawn("script", ["-qec", shell, "/dev/null"], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const killer = setTimeout(() => child.kill("SIGKILL"), SHELL_MS);
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString("utf8");
  });
  child.stdin.end(`${lines.join("\n")}\n`);
  await once(child, "close");
  clearTimeout(killer);
  return shown;
}

/** What each command line shows when Tab has completed it. */
const COMPLETED = [
  ["svc-cli vali\tp.yaml --str\t", "p.yaml: valid, no findings"],
  ["svc-cli context use sta\t", "now ask http://127.0.0.1:2, the context staging"],
  ["svc-cli comple\tba\t | head -c 30", "# bash completion of svc-cli"],
  ["svc-cli version -o nd\t", '{"schema":"svc.cli.version/v1"'],
] as const;

const LINES = COMPLETED.map(([line]) => line);

describe("the completion of a shell", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-15
  it("completes commands, options, values and contexts in bash", async () => {
    const shown = await typed("bash --norc --noprofile -i", [
      "source <(svc-cli completion bash)",
      ...LINES,
      "exit",
    ]);
    for (const [, text] of COMPLETED) expect(shown).toContain(text);
  });

  // proves CLI-15
  // skip: zsh is not installed
  it.skipIf(missing.zsh)("completes the same in zsh", async () => {
    const load = "autoload -U compinit; compinit -u -D; source <(svc-cli completion zsh)";
    const shown = await typed("zsh -f -i", [load, ...LINES, "exit"]);
    for (const [, text] of COMPLETED) expect(shown).toContain(text);
  });

  // proves CLI-15
  // skip: fish is not installed
  it.skipIf(missing.fish).each([
    ["svc-cli vali", ["validate"]],
    ["svc-cli compliance ", ["audit-verify", "certificate", "report", "verify-certificate"]],
    ["svc-cli validate --st", ["--strict"]],
    ["svc-cli validate -o sa", ["sarif"]],
    ["svc-cli agents list --context ", ["prod", "staging"]],
    ["svc-cli context use pr", ["prod"]],
    ["svc-cli completion f", ["fish"]],
  ])("completes %j in fish", async (line, words) => {
    const script = `svc-cli completion fish | source; complete -C ${JSON.stringify(line)}`;
    const { stdout } = await promisify(execFile)("fish", ["--no-config", "-c", script], { cwd, env });
    expect(
      stdout
        .split("\n")
        .filter(Boolean)
        .map((shown) => shown.split("\t")[0]),
    ).toEqual(words);
  });
});
