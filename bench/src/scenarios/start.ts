import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { IDLE_END_MS } from "@svc/process/worker-thread";
import { benchmarkRego } from "../benchmark-rego.ts";
import type { RunningChild } from "../child-process.ts";
import { cpuTime, endedChildrenMs } from "../cpu-time.ts";
import { atMost, type Figure, figure, type Target } from "../figure.ts";
import { findOpa } from "../peers/find-opa.ts";
import { startAdapter } from "../peers/start-adapter.ts";
import { startEverything } from "../peers/start-everything.ts";
import { startOpa } from "../peers/start-opa.ts";
import { startProduct } from "../peers/start-product.ts";
import { type Residence, residence } from "../residence.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";

const CLI = join(import.meta.dirname, "..", "..", "..", "packages", "cli", "dist", "main.js");

/** Processes of a turn of a program that ends by itself: Linux counts time in hundredths of a second. */
const STARTS = 10;

/** Milliseconds that a program rests after its start before its memory is read. */
const REST_MS = 3_000;

/** The same of `npm start`: it loads a policy, and the threads that did so end when they were idle. */
const ALL_REST_MS = IDLE_END_MS + 10_000;

/** Of a program that stays, from its start until it answers, to `node -e 0`. */
const CPU_TARGET = atMost(10);

/** Of `svc-cli version`, to `node -e 0`: 120 ms where that takes 24 ms. */
const CLI_TARGET = atMost(5);

/** MiB of `npm start`, with every adapter. */
const ALL_MIB = atMost(120);

/** MiB of an adapter by itself. */
const ADAPTER_MIB = atMost(70);

interface Program {
  readonly name: string;
  readonly start: () => Promise<RunningChild>;
  readonly cpu: Target | null;
  readonly mib: Target | null;
  /** REST_MS unless said otherwise. */
  readonly restMs?: number;
}

interface Started extends Residence {
  readonly cpuMs: number;
}

export const start: Scenario = {
  name: "start",
  title: "Start of the programs: processor time until ready, memory and threads at rest",
  run: async (bench) => {
    if ((await endedChildrenMs()) === null)
      return { kind: "not_measured", reason: "only Linux says how much processor time a process took" };
    const { programs, notes } = await programsOf(bench);
    // A first start keeps compiled code for the others.
    for (const program of programs) await startOnce({ ...program, restMs: 0 });
    await endedMs([CLI, "version"]);
    const nothing: number[] = [];
    const version: number[] = [];
    const started = new Map<Program, Started[]>(programs.map((program) => [program, []]));
    for (let round = 0; round < bench.rounds; round += 1) {
      nothing.push(await endedMs(["-e", "0"]));
      version.push(await endedMs([CLI, "version"]));
      for (const program of programs) started.get(program)?.push(await startOnce(program));
    }
    const figures = [...started].flatMap(([program, rounds]) => figuresOf(program, rounds, nothing));
    return {
      kind: "measured",
      figures: [
        ...figures,
        figure(
          "svc-cli version: processor time to `node -e 0`",
          "ratio",
          ratios(version, nothing),
          CLI_TARGET,
        ),
        figure("svc-cli version: processor time", "ms", version),
        figure("`node -e 0`: processor time", "ms", nothing),
      ],
      notes,
    };
  },
};

async function programsOf(bench: Bench): Promise<{ programs: readonly Program[]; notes: readonly string[] }> {
  const adapter = { SVC_GATEWAY_URL: "http://127.0.0.1:9", SVC_AGENT_ID: "agent-1" };
  const free = "127.0.0.1:0";
  const mcp = { SVC_MCP_LISTEN: free, SVC_MCP_ID: "bench", SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:9/mcp" };
  const ours: readonly Program[] = [
    { name: "svc-server", start: () => startProduct(bench), cpu: CPU_TARGET, mib: null },
    { name: "npm start", start: () => startEverything(bench), cpu: null, mib: ALL_MIB, restMs: ALL_REST_MS },
    ...(
      [
        ["checkgw", { ...adapter, SVC_CHECKGW_LISTEN: free }],
        ["extproc", { ...adapter, SVC_EXTPROC_LISTEN: free }],
        ["mcp-proxy", { ...adapter, ...mcp }],
      ] as const
    ).map(([name, env]) => ({
      name: `svc-${name}`,
      start: () => startAdapter(bench, name, env),
      cpu: CPU_TARGET,
      mib: ADAPTER_MIB,
    })),
  ];
  const opa = await findOpa(bench.say);
  if (opa.program === null) return { programs: ours, notes: [opa.reason] };
  const { program } = opa;
  const module = benchmarkRego(20);
  const begin = () => startOpa(bench, { program, module, decisionLog: false });
  return { programs: [...ours, { name: "opa", start: begin, cpu: null, mib: null }], notes: [] };
}

function figuresOf(
  { name, cpu, mib }: Program,
  rounds: readonly Started[],
  nothing: readonly number[],
): readonly Figure[] {
  const cpuMs = rounds.map((round) => round.cpuMs);
  return [
    figure(`${name}: processor time until ready to \`node -e 0\``, "ratio", ratios(cpuMs, nothing), cpu),
    figure(`${name}: processor time until ready`, "ms", cpuMs),
    figure(
      `${name}: memory at rest`,
      "MiB",
      rounds.map((round) => round.mib),
      mib,
    ),
    figure(
      `${name}: threads at rest`,
      "count",
      rounds.map((round) => round.threads),
    ),
  ];
}

async function startOnce({ name, start: begin, restMs = REST_MS }: Program): Promise<Started> {
  const child = await begin();
  const used = await cpuTime(child.pid);
  await delay(restMs);
  const held = await residence(child.pid);
  await child.stop();
  if (used === null) throw new Error(`${name}: its processor time cannot be read`);
  return { cpuMs: used.allThreadsMs, ...held };
}

/** Milliseconds of processor time of a run of Node that ends by itself. */
async function endedMs(args: readonly string[]): Promise<number> {
  const before = (await endedChildrenMs()) ?? 0;
  for (let at = 0; at < STARTS; at += 1) {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    await once(child, "close");
    if (child.exitCode !== 0) throw new Error(`expected exit code 0, found ${String(child.exitCode)}`);
  }
  return (((await endedChildrenMs()) ?? 0) - before) / STARTS;
}
