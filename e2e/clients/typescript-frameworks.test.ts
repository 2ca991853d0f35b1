// long: it runs eight agent frameworks
// peers: typescript-frameworks
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { projectWithFrameworks } from "../support/adapters/installed-frameworks.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { BOOTSTRAP_KEY } from "../support/server/role-keys.ts";
import { startServer } from "../support/server/server-process.ts";
import { TRAPS } from "./typescript/expected-traps.ts";
import { CASES, UNFIT } from "./typescript/frameworks/cases.ts";
import { type ScriptedAnswers, startScriptedAnswers } from "./typescript/scripted-answers.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/** The most time that one framework takes on a machine with much else to do. */
const TIMEOUT_MS = 120_000;

/** A pause stops the run, or has the model read a text. */
type Pause = "stops" | "tells";

/** What is particular to a framework. */
interface Framework {
  /** What it makes of a pause, and of one that lasts when the run goes on. */
  readonly pause: Pause;
  readonly lastingPause: Pause;
  /** Who finds that rewritten arguments do not fit. */
  readonly finds: "adapter" | "framework";
  /** Whether it names the calls of a conversation. */
  readonly names: "each call" | "no call";
}

const STOPS: Framework = { pause: "stops", lastingPause: "tells", finds: "adapter", names: "each call" };
const TELLS: Framework = { ...STOPS, pause: "tells", finds: "framework" };

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  langchain: { ...STOPS, lastingPause: "stops" },
  "openai-agents": STOPS,
  "ai-sdk": STOPS,
  mastra: TELLS,
  "google-adk": TELLS,
  strands: STOPS,
  "claude-agent": TELLS,
  "mcp-server": { ...TELLS, finds: "adapter", names: "no call" },
};

interface Facts {
  readonly read: readonly string[];
  readonly paused: boolean;
  readonly ran: readonly unknown[];
}

interface Report {
  readonly cases: Readonly<Record<string, Facts & { resumed: Facts | null; error: string | null }>>;
  readonly traps: Readonly<Record<string, { ran: readonly unknown[]; error: string | null }>>;
}

let project: string;
let gateway: ScriptedAnswers;
let examples: ExampleServer;

// skip: the frameworks are not installed
describe.skipIf(missing["typescript-frameworks"] !== null)("adapters of the TypeScript library", () => {
  beforeAll(async () => {
    const { path, remove } = await makeTemporaryDirectory();
    gateway = await startScriptedAnswers();
    examples = await startExampleServer();
    project = await projectWithFrameworks(path, programOf("typescript-frameworks"));
    return async () => {
      await examples.stop();
      await gateway.close();
      await remove();
    };
  }, TIMEOUT_MS);

  it("every framework: the adapter compiles strictly", { timeout: TIMEOUT_MS }, async () => {
    const strict = "--noEmit --strict --skipLibCheck --module nodenext --lib es2024,dom";
    const files = readdirSync(project).filter((name) => name.endsWith(".ts"));
    const args = [
      COMPILER,
      ...strict.split(" "),
      "--allowImportingTsExtensions",
      "--types",
      "node",
      ...files,
    ];
    const { stdout, exitCode } = await runProgram(process.execPath, args, {}, { cwd: project });
    expect([stdout, exitCode]).toEqual(["", 0]);
  });

  describe.each(Object.entries(FRAMEWORKS))("%s:", (framework, { pause, lastingPause, finds, names }) => {
    let report: Report;

    beforeAll(async () => {
      const args = ["run-cases.ts", framework, gateway.url];
      const { stdout, stderr } = await runProgram(process.execPath, args, SILENT, { cwd: project });
      if (!stdout.includes('{"cases"')) throw new Error(stderr);
      report = JSON.parse(stdout.slice(stdout.lastIndexOf('{"cases"'))) as Report;
    }, TIMEOUT_MS);

    // proves LIB-12
    it.each(Object.entries(CASES))("%s", (name, { runs = [], reads, resumed }) => {
      const stops = resumed !== undefined && pause === "stops";
      const seen = report.cases[name];
      // Calls that run side by side begin in any order.
      const ran = seen?.ran.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
      const wanted = {
        paused: stops,
        ran: runs,
        read: stops
          ? []
          : reads.map((text) => matching(finds === "framework" && text === UNFIT ? /./ : text)),
      };
      const again = resumed?.paused === true && lastingPause === "stops";
      const readThen = again ? [] : resumed?.reads.map(matching);
      const wantedThen = { paused: again, ran: resumed?.runs, read: readThen };
      expect({ ...seen, ran }).toEqual({ ...wanted, error: null, resumed: stops ? wantedThen : null });
    });

    it.each(Object.keys(TRAPS[framework] ?? {}))("is safe: %s", (name) => {
      const { ran, error } = TRAPS[framework]?.[name] ?? {};
      expect(Object.keys(report.traps)).toEqual(Object.keys(TRAPS[framework] ?? {}));
      expect(report.traps[name]).toEqual({ ran, error: error === null ? null : matching(error ?? /^$/) });
    });

    it("asks about each call under a key of its own, and reports how it ended", () => {
      const asked = gateway.asked.filter(
        (one) => one.framework === framework && one.name === "parallel calls",
      );
      const keys = asked.filter(({ path }) => path.endsWith("/execute")).map(({ key }) => key);
      expect([new Set(keys).size, keys.includes(null)]).toEqual(
        names === "each call" ? [3, false] : [1, true],
      );
      const outcomes = asked
        .filter(({ path }) => path.endsWith("/outcome"))
        .map(({ body }) => body["status"]);
      expect(outcomes).toEqual(["succeeded", "succeeded"]);
      if (finds === "framework") return;
      const unfit = gateway.asked.filter((one) => one.framework === framework && one.name.includes("needs"));
      expect(unfit.at(-1)?.body).toMatchObject({ status: "not_executed" });
    });
  });

  // proves LIB-12
  it.each(Object.entries(FRAMEWORKS))(
    "%s: its example runs as it stands",
    { timeout: TIMEOUT_MS },
    async (framework, { pause }) => {
      const { url, key, rows } = examples;
      const before = (await rows()).length;
      const env = { ...SILENT, SVC_URL: url, SVC_API_KEY: key };
      const { stdout, stderr } = await runProgram(process.execPath, [`${framework}.ts`], env, {
        cwd: project,
      });
      const lines = stdout.split("\n").filter((line) => SAID.test(line));
      expect([stderr, lines]).toEqual(["", linesOf(pause)]);
      const written = (await rows()).slice(before);
      const ofAgent = written.filter((row) => row["agent_id"] === "refund-bot");
      const decisions = ofAgent.filter((row) => "decision" in row);
      const said = decisions.map((row) => `${String(row["tool"])} ${String(row["decision"])}`);
      expect(said.toSorted()).toEqual(["refund allow", "refund deny", "send_mail pause"]);
      const outcomes = written.filter((row) => row["kind"] === "outcome");
      expect(outcomes.map((row) => row["status"])).toEqual(["succeeded"]);
    },
  );
});

function linesOf(pause: Pause): readonly unknown[] {
  const last =
    pause === "stops" ? /^waits for approval: http.*\/approvals\// : /^the model read: .*\/approvals\//;
  return [
    matching(/^ran: refund o-1 5 [^1]+1234$/),
    matching(/^the model read: .*refunded 5/),
    matching(/^the model read: .*refund was denied \(rule big\): .*will be denied again/),
    matching(last),
  ];
}

interface ExampleServer {
  readonly url: string;
  readonly key: string;
  readonly rows: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly stop: () => Promise<unknown>;
}

async function startExampleServer(): Promise<ExampleServer> {
  const server = await startServer({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  const yaml = await readFile(join(ROOT, "examples", "policy.yaml"), "utf8");
  expect((await operator("POST", "policies", { yaml })).status).toBe(201);
  const authorization = `Bearer ${BOOTSTRAP_KEY}`;
  const rows = async () => (await checkedExport(server.url, { authorization })).map(({ row }) => row);
  return { url: server.url, key: (await issueKey(operator)).key, rows, stop: () => server.stop() };
}

/** What an example prints. Frameworks print more. */
const SAID = /^(ran|the model read|waits for approval): /;

/** Frameworks send usage reports unless they are told not to. */
const SILENT = {
  LANGSMITH_TRACING: "false",
  MASTRA_TELEMETRY_DISABLED: "1",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  OTEL_SDK_DISABLED: "true",
};

const matching = (text: RegExp): unknown => expect.stringMatching(text);
