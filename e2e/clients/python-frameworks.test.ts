// peers: python-client, python-frameworks
// long: starts each Python framework, which loads for seconds
import { realpathSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { type PythonFramework, programOf, pythonFrameworks } from "../support/processes/peer-programs.ts";
import { type ProgramResult, runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { BOOTSTRAP_KEY } from "../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

/** Longest run of one framework in milliseconds, on a busy machine: its import alone takes seconds. */
const TIMEOUT_MS = 240_000;

const ROOT = join(import.meta.dirname, "..", "..");
const CLIENT = join(ROOT, "clients", "python");
const EXAMPLES = join(ROOT, "examples");

/** A framework may warn of its own future. A coroutine that nobody awaits fails the run. */
const WARNINGS = ["-W", "default", "-W", "ignore::ResourceWarning", "-W", "error::RuntimeWarning"];

/** Frameworks send usage reports, or ask for updates, unless they are told not to. */
const SILENT = {
  ANONYMIZED_TELEMETRY: "false",
  CREWAI_DISABLE_TELEMETRY: "true",
  CREWAI_TRACING_ENABLED: "false",
  FASTMCP_CHECK_FOR_UPDATES: "off",
  LANGSMITH_TRACING: "false",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  OTEL_SDK_DISABLED: "true",
};

/** Each framework is imported alone, with what checks it behind. */
function python(
  { folder }: PythonFramework,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  const paths = [folder, join(CLIENT, "src"), programOf("python-client")];
  // The framework is compiled once for all checkouts, beside the folder that it is kept in.
  const compiled = { PYTHONPATH: paths.join(":"), PYTHONPYCACHEPREFIX: `${realpathSync(folder)}.compiled` };
  return runProgram("python3", args, { ...SILENT, ...compiled, ...env }, { cwd: CLIENT });
}

/** Nothing when it passed; else what it printed. */
function complaint({ exitCode, stdout, stderr }: ProgramResult): string {
  return exitCode === 0 ? "" : `${stdout}\n${stderr}`;
}

async function governedServer(): Promise<{ readonly server: ServerProcess; readonly key: string }> {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  const yaml = await readFile(join(EXAMPLES, "policy.yaml"), "utf8");
  expect((await operator("POST", "policies", { yaml })).status).toBe(201);
  return { server, key: (await issueKey(operator)).key };
}

const skipped = missing["python-client"] ?? missing["python-frameworks"];

// skip: a peer is not installed; continuous integration has both and fails without.
describe.skipIf(skipped)("an agent framework in Python", { timeout: TIMEOUT_MS }, () => {
  const frameworks = pythonFrameworks();

  // proves LIB-09
  it.each(frameworks)("$name: no answer but an allow runs a tool", async (framework) => {
    const file = `tests/integrations/test_${moduleOf(framework)}.py`;
    const env = { SVC_FRAMEWORK: framework.name };
    expect(complaint(await python(framework, ["-m", "pytest", ...WARNINGS, file], env))).toBe("");
  });

  // A type checker reads a framework for many seconds, so only the matrix of releases checks types.
  const typed = process.env["SVC_TEST_FRAMEWORKS"] === "newest" ? frameworks : [];
  it.each(typed)("$name: its adapter fits the types of the framework", async (framework) => {
    const cwd = await temporaryDirectory();
    await cp(join(CLIENT, "src"), cwd, { recursive: true });
    const settings = {
      include: [`svc_client/integrations/${moduleOf(framework)}.py`],
      extraPaths: [".", framework.folder, programOf("python-client")],
      typeCheckingMode: "standard",
    };
    await writeFile(join(cwd, "pyrightconfig.json"), JSON.stringify(settings));
    const pyright = join(programOf("python-client"), "pyright", "dist", "index.js");
    const ended = await runProgram(process.execPath, [pyright], {}, { cwd });
    expect(complaint(ended)).toBe("");
    expect(ended.stdout).toContain("0 errors, 0 warnings");
  });

  it.each(typed)("$name: its types are strict", async (framework) => {
    const cache = `--cache-dir=${realpathSync(framework.folder)}.types`;
    const file = `src/svc_client/integrations/${moduleOf(framework)}.py`;
    expect(complaint(await python(framework, ["-m", "mypy", cache, file], {}))).toBe("");
  });

  // proves LIB-09
  it.each(frameworks)("$name: its example runs as it stands", async (framework) => {
    const { server, key } = await governedServer();
    const file = join(EXAMPLES, "python", `with_${moduleOf(framework)}.py`);
    const ended = await python(framework, [file], { SVC_URL: server.url, SVC_API_KEY: key });
    expect(complaint(ended)).toBe("");
    expect(ended.stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/^ran: refund o-1 5 [^1]+1234$/),
      "the model read: refunded 5",
      expect.stringMatching(/^the model read: .*refund was denied \(rule big\): .*will be denied again/),
      expect.stringMatching(/^(waits for approval: |the model read: .* Approve it at http.*\/approvals\/)/),
    ]);
    const rows = (await checkedExport(server.url, { authorization: `Bearer ${BOOTSTRAP_KEY}` })).map(
      ({ row }) => row,
    );
    const ofAgent = rows.filter((row) => row["agent_id"] === "refund-bot" && "decision" in row);
    expect(ofAgent.map((row) => [row["tool"], row["decision"]])).toEqual([
      ["refund", "allow"],
      ["refund", "deny"],
      ["send_mail", "pause"],
    ]);
    const outcomes = rows.filter((row) => row["kind"] === "outcome");
    expect(outcomes.map((row) => row["status"])).toEqual(["succeeded"]);
  });
});

function moduleOf({ name }: PythonFramework): string {
  return name.replaceAll("-", "_");
}
