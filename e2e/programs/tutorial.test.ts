// long: it runs every command of the tutorial
// peers: inspector
// waits: for programs that start, and for switches that end
import { mkdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { expect, it, onTestFinished } from "vitest";
import pins from "../mcp/inspector/package.json" with { type: "json" };
import { documentSteps, showsAnswer } from "../support/cli/document-commands.ts";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const TIMEOUT_MS = 180_000;

/** The Inspector as the page names it, which is the one that the tests install. */
const INSPECTOR_PIN = `@modelcontextprotocol/inspector@${pins.dependencies["@modelcontextprotocol/inspector"]}`;

/** Commands that make names for those below them. */
const DEFINES = /^(?:call\(\) \{|npm run -s build$)/m;

/** A process of another terminal of the page. */
async function startTerminal(script: string, env: Readonly<Record<string, string>>): Promise<RunningProcess> {
  const ready = script.includes("svc-cli dev") ? { line: /^Ctrl-C ends everything/ } : null;
  const port = /mcp-server\.mjs" ([0-9]+)/.exec(script)?.[1];
  const child = await startProcess("bash", ["-c", script], { env, ready: ready ?? { port: Number(port) } });
  onTestFinished(async () => void (await child.stop("SIGTERM")));
  return child;
}

// proves CLI-78
// skip: the agent of the page is the Inspector, which the test runner installs where it can
it.skipIf(missing.inspector)("docs/TUTORIAL.md runs as written", { timeout: TIMEOUT_MS }, async () => {
  const { path: cwd, remove } = await makeTemporaryDirectory();
  onTestFinished(remove);
  // The Inspector writes what it remembers into the home.
  const env = { XDG_CONFIG_HOME: join(cwd, "config"), TMPDIR: join(cwd, "tmp"), USER: "ana", HOME: cwd };
  mkdirSync(env.TMPDIR);
  const mcpPort = String(await findFreePort());
  let proxyUrl = "";
  const defined: string[] = [`cd ${ROOT}`];
  const page = await readFile(join(ROOT, "docs/TUTORIAL.md"), "utf8");
  const steps = documentSteps(page);
  const marked = (mark: string) => steps.filter((step) => step.mark === mark).length;
  expect([steps.length > 14, marked("terminal"), marked("fails")]).toEqual([true, 2, 3]);
  expect(page).toContain(`npx -y ${INSPECTOR_PIN} --cli`);
  for (const { command, mark, answer } of steps) {
    const here = command
      .replace("npm run -s build\n", "")
      .replaceAll("3001", mcpPort)
      .replaceAll("http://127.0.0.1:9003", proxyUrl)
      .replace(`npx -y ${INSPECTOR_PIN}`, `node ${programOf("inspector")}`)
      .replace("svc-cli dev", "svc-cli dev --port 0 --adapter-port 0");
    const script = [...defined, `cd ${cwd}`, here].join("\n");
    if (mark === "terminal") {
      await startTerminal(script, env);
      if (command.includes("svc-cli dev")) proxyUrl = mcpUrlOf(env.XDG_CONFIG_HOME);
      continue;
    }
    if (DEFINES.test(command)) {
      defined.push(here);
      continue;
    }
    const ended = await runProgram("bash", ["-c", script], env);
    // What the Inspector ends with depends on how the refusal reached it.
    expect([command, ended.exitCode !== 0]).toEqual([command, mark === "fails"]);
    const stdout = mark === "fails" ? ended.stderr : ended.stdout;
    if (answer?.kind === "text") expect(stdout.trim()).toBe(answer.text.trim());
    if (answer?.kind !== "json") continue;
    const [shown, found]: unknown[] = [JSON.parse(answer.text), JSON.parse(stdout)];
    if (!showsAnswer(shown, found)) expect({ command, answer: found }).toEqual({ command, answer: shown });
  }
});

/** Where svc-mcp-proxy listens, as the context of `svc-cli dev` says. */
function mcpUrlOf(configHome: string): string {
  const contexts = readFileSync(join(configHome, "svc", "contexts.yaml"), "utf8");
  const url = /^ +mcp: "?([^\s"]+)"?$/m.exec(contexts)?.[1];
  if (url === undefined) throw new Error(`the context names no MCP proxy:\n${contexts}`);
  return url;
}
