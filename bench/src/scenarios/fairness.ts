import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import type { RunningChild } from "../child-process.ts";
import { atMost, type Figure, figure } from "../figure.ts";
import { largeBodies } from "../large-bodies.ts";
import { runPaced, type TimedCall } from "../load/paced-calls.ts";
import { createPolicy, post } from "../peers/api.ts";
import { sendBody } from "../peers/send-body.ts";
import { startPeer } from "../peers/start-peer.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { quantile, ratios } from "../statistics.ts";

/** Large calls that one agent has on their way at any time, as count. */
const ATTACK_CONNECTIONS = 16;

/** Large calls that one agent sends at once, as count: 800 MiB of bodies. */
const FLOOD_CALLS = 3_200;

/** Milliseconds between two calls of an ordinary agent. */
const INTERVAL_MS = 25;

const TOOL = "payments.refund";

/** Both agents' calls are searched for card numbers and IBANs: the rule that makes large texts expensive. */
const POLICY = JSON.stringify({
  id: "fair",
  name: "Fair",
  agent_id: "ordinary",
  governance_mode: "enforcement",
  fail_closed: true,
  tools: { allowed: ["payments.*"] },
  rules: [
    {
      id: "pii",
      priority: 1,
      match: {
        tool: "*",
        condition: { field: "args.t", operator: "detects", value: ["pii.iban", "pii.credit_card"] },
      },
      action: "deny",
    },
  ],
});

export const fairness: Scenario = {
  name: "fairness",
  title: "Calls of one agent while another sends the largest bodies; its kill switch; 3,200 at once",
  run: async (bench) => {
    const { ready: url, pid } = await startProduct(bench, { NODE_OPTIONS: "--max-old-space-size=1024" });
    await createPolicy(url, POLICY);
    await createPolicy(url, POLICY.replace('"fair"', '"fair-2"').replace("ordinary", "attacker"));
    await runPaced(paced(url, bench.seconds));
    const figures: Figure[] = [];
    for (const name of largeBodies("attacker", TOOL).keys()) {
      bench.say(`${name}: ${bench.rounds} rounds`);
      figures.push(...(await attackFigures(bench, { url, name })));
    }
    bench.say(`${FLOOD_CALLS} calls at once`);
    figures.push(...(await floodFigures(bench, url, pid)));
    return { kind: "measured", figures, notes: ["the server runs with a heap of 1 GiB"] };
  },
};

function paced(url: string, seconds: number) {
  const body = Buffer.from(`{"agent_id":"ordinary","tool":"${TOOL}","args":{"t":"an order of three books"}}`);
  const count = Math.round((seconds * 1_000) / INTERVAL_MS);
  return { url: `${url}/api/v1/gateway/execute`, body, intervalMs: INTERVAL_MS, count };
}

interface Attack {
  readonly url: string;
  readonly name: string;
}

async function attackFigures(bench: Bench, attack: Attack): Promise<Figure[]> {
  const { url, name } = attack;
  const quiet: TimedCall[][] = [];
  const attacked: TimedCall[][] = [];
  const kills: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    quiet.push(await runPaced(paced(url, bench.seconds)));
    const attacker = await startAttack(bench, attack);
    attacked.push(await runPaced(paced(url, bench.seconds)));
    kills.push(await killAttacker(url));
    await attacker.stop();
  }
  const p99 = (calls: readonly TimedCall[]): number =>
    quantile(
      calls.map(({ ms }) => ms),
      0.99,
    );
  const denied = attacked.map((calls) => calls.filter(({ answer }) => answer !== "allow").length);
  bench.say(`${name}: ordinary calls not allowed: ${denied.join(", ")}`);
  if (denied.some((count) => count > 0)) throw new Error(`${name}: an ordinary call was not allowed`);
  return [
    figure(
      `${name}: p99 of others, attacked to quiet`,
      "ratio",
      ratios(attacked.map(p99), quiet.map(p99)),
      atMost(3),
    ),
    figure(`${name}: p99 of others, quiet`, "ms", quiet.map(p99)),
    figure(`${name}: p99 of others, attacked`, "ms", attacked.map(p99)),
    figure(`${name}: kill answered`, "ms", kills, atMost(100)),
  ];
}

/** One agent, in a process of its own, that always has so many large calls on their way. */
function startAttack({ cleanup }: Bench, { url, name }: Attack): Promise<RunningChild> {
  const entry = join(import.meta.dirname, "..", "peers", "large-call-sender.ts");
  const args = [`${url}/api/v1/gateway/execute`, name, String(ATTACK_CONNECTIONS)];
  return startPeer(entry, args, cleanup);
}

/** Kills the attacker and lets it go again. @throws when the switch was not enforced. */
async function killAttacker(url: string): Promise<number> {
  const request = { scope: "agent", target_id: "attacker", reason: "benchmark", activated_by: "bench" };
  const startedMs = performance.now();
  const answer = await post(`${url}/api/v1/kill-switch`, JSON.stringify(request), { wanted: 201 });
  const ms = performance.now() - startedMs;
  const { enforced, kill_switch_id: id } = answer as {
    readonly enforced?: boolean;
    readonly kill_switch_id: string;
  };
  if (enforced !== true) throw new Error(`the switch was not enforced: ${JSON.stringify(answer)}`);
  await fetch(`${url}/api/v1/kill-switch/${id}`, {
    method: "DELETE",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ deactivated_by: "bench", reason: "next round" }),
  });
  return ms;
}

async function floodFigures(bench: Bench, url: string, pid: number): Promise<Figure[]> {
  const body = largeBodies("attacker", TOOL).get("numbers") ?? Buffer.alloc(0);
  const agent = new Agent({ keepAlive: false });
  const flood = Array.from({ length: FLOOD_CALLS }, () =>
    sendBody(`${url}/api/v1/gateway/execute`, body, agent),
  );
  const others = await runPaced(paced(url, bench.seconds));
  const answers = await Promise.all(flood);
  bench.say(`answers to the flood: ${JSON.stringify(counted(answers))}`);
  bench.say(`answers to others: ${JSON.stringify(counted(others.map(({ answer }) => answer)))}`);
  return [
    figure("flood: peak of memory", "MiB", [await peakMemoryMib(pid)], atMost(1_024)),
    figure("flood: p99 of others", "ms", [
      quantile(
        others.map(({ ms }) => ms),
        0.99,
      ),
    ]),
  ];
}

function counted(answers: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(answers)].map((answer) => [answer, answers.filter((one) => one === answer).length]),
  );
}

/** The most that the process ever held in memory. */
async function peakMemoryMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}
