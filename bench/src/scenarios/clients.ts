import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@svc/process/find-program";
import { atMost, type Figure, figure } from "../figure.ts";
import { startCannedServer } from "../peers/start-canned-server.ts";
import type { Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const LIBRARY = join(ROOT, "packages", "sdk", "dist", "index.js");
const PYTHON_SOURCE = join(ROOT, "clients", "python", "src");
const LOADS = join(import.meta.dirname, "..", "peers", "client-loads.ts");
const PYTHON_IMPORT =
  "import time; began = time.perf_counter_ns(); import svc_client; print(time.perf_counter_ns() - began)";
const PYTHON_CALLS = join(import.meta.dirname, "..", "peers", "python-calls.py");
const PYTHON_KIT = join(import.meta.dirname, "..", "peers", "python-kit.py");

/** Has mini-racer, which the test kit runs in. */
const PYTHON_CLIENT_PEER = join(ROOT, ".tools", "python-client");

/** Has aiohttp and httpx, which CrewAI brings along. */
const PYTHON_HTTP_PEER = join(ROOT, ".tools", "python-framework-crewai");

/** Number of calls of one turn, one after another. */
const CALLS = 1_000;

const ALLOW = JSON.stringify({ decision: "allow", decision_id: "g.1", args_constrained: false });
const ARGS = { order: "o-1", amount: 5 };
const BODY = JSON.stringify({ agent_id: "agent-1", tool: "payments.refund", args: ARGS });

const NS_PER_MS = 1_000_000;
const NS_PER_US = 1_000;

/** What the test kits read. It allows the calls that are timed. */
const KIT_POLICY = `id: refunds
tools: { allowed: [payments.*] }
rules:
  - id: large
    priority: 1
    match: { condition: { field: args.amount, operator: ">", value: 1000 } }
    action: deny
`;

/** What a governed call may cost, as a multiple of the exchange that it needs. */
const TARGET = atMost(1.2);

/** Milliseconds for loading the test kit and opening a gateway: a test file pays it once. */
const KIT_TARGET = atMost(150);

/** Microseconds of one decision of the test kit. */
const DECISION_TARGET = atMost(1_000);

/** The part of the TypeScript library that is timed, as it is built. */
interface Library {
  readonly SvcClient: new (options: {
    readonly baseUrl: string;
  }) => {
    execute(tool: string, args: object, options: { readonly agentId: string }): Promise<unknown>;
  };
}

export const clients: Scenario = {
  name: "clients",
  title: "A governed call of a client library to the bare exchange, one connection kept alive",
  run: async ({ rounds, cleanup }) => {
    const { ready: url } = await startCannedServer({ "*": { body: ALLOW } }, cleanup);
    const figures = [
      ...(await typescript(url, rounds)),
      ...(await python(url, rounds)),
      ...(await loads(rounds)),
    ];
    const notes = ["the gateway answers at once; the exchange is that of the same language and transport"];
    notes.push(...missingPeers());
    return { kind: "measured", figures, notes };
  },
};

function missingPeers(): readonly string[] {
  if (findProgram("python3") === null) return ["Python is not installed"];
  return [
    ...(existsSync(PYTHON_HTTP_PEER)
      ? []
      : ["aiohttp and httpx are not installed: npm test -- --peers all installs them"]),
    ...(existsSync(PYTHON_CLIENT_PEER)
      ? []
      : ["mini-racer is not installed: npm test -- --peers all installs it"]),
  ];
}

async function typescript(url: string, rounds: number): Promise<readonly Figure[]> {
  const { SvcClient } = (await import(LIBRARY)) as Library;
  const client = new SvcClient({ baseUrl: url });
  const headers = { "content-type": "application/json", accept: "application/json" };
  const exchange = async (): Promise<void> => {
    const options = { method: "POST", headers, body: BODY };
    const answer = await fetch(`${url}/api/v1/gateway/execute`, options);
    JSON.parse(await answer.text());
  };
  const question = async (): Promise<void> => {
    await client.execute("payments.refund", ARGS, { agentId: "agent-1" });
  };
  const sides = [exchange, question].map((call) => () => nanosecondsOf(call));
  await takeTurns(1, sides);
  const [bare = [], governed = []] = await takeTurns(rounds, sides);
  return [
    figure("TypeScript: governed call to fetch", "ratio", ratios(governed, bare), TARGET),
    figure("TypeScript: one fetch", "ns", bare),
  ];
}

async function nanosecondsOf(call: () => Promise<void>): Promise<number> {
  const startedNs = process.hrtime.bigint();
  for (let at = 0; at < CALLS; at += 1) await call();
  return Number(process.hrtime.bigint() - startedNs) / CALLS;
}

interface PythonTimes {
  readonly bare: number;
  readonly bare_async: number;
  readonly sync: number;
  readonly async: number;
  readonly aiohttp?: number;
  readonly httpx?: number;
}

async function python(url: string, rounds: number): Promise<readonly Figure[]> {
  const program = findProgram("python3");
  if (program === null) return [];
  const args = [PYTHON_CALLS, url, String(rounds), String(CALLS)];
  const { stdout } = await promisify(execFile)(program, args, { env: pythonWith(PYTHON_HTTP_PEER) });
  const times = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as PythonTimes);
  const all = (name: keyof PythonTimes): number[] => times.flatMap((time) => time[name] ?? []);
  const libraries = (["aiohttp", "httpx"] as const).filter((name) => all(name).length > 0);
  return [
    figure("Python: Client to http.client", "ratio", ratios(all("sync"), all("bare")), TARGET),
    // The target is that of the fastest library. The streams check nothing and keep no time.
    ...libraries.map((name) =>
      figure(
        `Python: AsyncClient to ${name}`,
        "ratio",
        ratios(all("async"), all(name)),
        name === "aiohttp" ? TARGET : null,
      ),
    ),
    figure("Python: AsyncClient to streams of asyncio", "ratio", ratios(all("async"), all("bare_async"))),
    figure("Python: one exchange of http.client", "ns", all("bare")),
    figure("Python: one exchange of streams of asyncio", "ns", all("bare_async")),
    ...libraries.map((name) => figure(`Python: one exchange of ${name}`, "ns", all(name))),
  ];
}

function pythonWith(peer: string): Readonly<Record<string, string | undefined>> {
  const PYTHONPATH = [PYTHON_SOURCE, peer].join(delimiter);
  return { PATH: process.env["PATH"], PYTHONPATH };
}

interface Loads {
  readonly client: number;
  readonly kit: number;
  readonly decision: number;
}

/** Each round in a process of its own, because a module is loaded once. */
async function loads(rounds: number): Promise<readonly Figure[]> {
  const run = promisify(execFile);
  const program = findProgram("python3");
  const typescripts: Loads[] = [];
  const pythons: number[] = [];
  const kits: Omit<Loads, "client">[] = [];
  const env = { PATH: process.env["PATH"], PYTHONPATH: PYTHON_SOURCE };
  for (let round = 0; round < rounds; round += 1) {
    const { stdout } = await run(process.execPath, [LOADS, dirname(LIBRARY), KIT_POLICY], { env });
    typescripts.push(JSON.parse(stdout) as Loads);
    if (program === null) continue;
    pythons.push(Number((await run(program, ["-c", PYTHON_IMPORT], { env })).stdout) / NS_PER_MS);
    if (!existsSync(PYTHON_CLIENT_PEER)) continue;
    const kit = await run(program, [PYTHON_KIT, KIT_POLICY], { env: pythonWith(PYTHON_CLIENT_PEER) });
    kits.push(JSON.parse(kit.stdout) as Omit<Loads, "client">);
  }
  const all = (name: keyof Loads, nanoseconds: number): number[] =>
    typescripts.map((times) => times[name] / nanoseconds);
  return [
    figure("TypeScript: import of the client", "ms", all("client", NS_PER_MS)),
    figure("Test kit in Node: load and open", "ms", all("kit", NS_PER_MS), KIT_TARGET),
    figure("Test kit in Node: one decision", "us", all("decision", NS_PER_US), DECISION_TARGET),
    ...(program === null ? [] : [figure("Python: import of the client", "ms", pythons)]),
    ...(kits.length === 0 ? [] : pythonKit(kits)),
  ];
}

function pythonKit(kits: readonly Omit<Loads, "client">[]): readonly Figure[] {
  const opened = kits.map(({ kit }) => kit / NS_PER_MS);
  const decisions = kits.map(({ decision }) => decision / NS_PER_US);
  return [
    figure("Test kit in Python: load and open", "ms", opened, KIT_TARGET),
    figure("Test kit in Python: one decision", "us", decisions, DECISION_TARGET),
  ];
}
