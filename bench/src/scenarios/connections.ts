import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { atMost, type Figure, figure } from "../figure.ts";
import { post } from "../peers/api.ts";
import { startPeer } from "../peers/start-peer.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Addresses that hold connections, and connections of each, as counts: more than there are places. */
const ADDRESSES = 4;
const CONNECTIONS = 2_500;

/** Kill switches of one round, as count. */
const KILLS = 20;

/** Milliseconds in which the server clears the closed connections away. */
const CLEARING_MS = 3_000;

/** Milliseconds within which the answer to SIGUSR2 is written. */
const WRITING_MS = 500;

const PEERS = join(import.meta.dirname, "..", "peers");

export const connections: Scenario = {
  name: "connections",
  title: "A kill switch while all places for unproven connections are taken; they close at once",
  run: async (bench) => {
    const stallFile = join(await temporaryFolder(bench.dataFolder, bench.cleanup), "stall");
    const reporter = pathToFileURL(join(PEERS, "report-stalls.ts")).href;
    const { ready: url, pid } = await startProduct(bench, {
      NODE_OPTIONS: `--import=${reporter}`,
      STALL_FILE: stallFile,
    });
    const longestStall = async (): Promise<number> => {
      process.kill(pid, "SIGUSR2");
      await delay(WRITING_MS);
      return Number(await readFile(stallFile, "utf8"));
    };
    const quiet: Kill[] = [];
    const rounds: Round[] = [];
    await kills(url);
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.say(`round ${round + 1} of ${bench.rounds}`);
      quiet.push(...(await kills(url)));
      rounds.push(await attackedRound(bench, url, longestStall));
    }
    return { kind: "measured", figures: figuresOf(quiet, rounds), notes: [await closedCounts(url)] };
  },
};

interface Kill {
  readonly ms: number;
  readonly enforced: boolean;
}

interface Round {
  readonly kills: readonly Kill[];
  readonly heldStallMs: number;
  readonly closingStallMs: number;
  readonly closingKills: readonly Kill[];
}

async function attackedRound(bench: Bench, url: string, longestStall: () => Promise<number>): Promise<Round> {
  const args = [new URL(url).port, String(ADDRESSES), String(CONNECTIONS)];
  const holder = await startPeer(join(PEERS, "connection-holder.ts"), args, bench.cleanup);
  await longestStall();
  const whileHeld = await kills(url);
  const heldStallMs = await longestStall();
  process.kill(holder.pid, "SIGKILL");
  const closingKills = await kills(url);
  await delay(CLEARING_MS);
  return { kills: whileHeld, heldStallMs, closingStallMs: await longestStall(), closingKills };
}

/** Activates switches and ends them, each by a connection of its own. */
async function kills(url: string): Promise<Kill[]> {
  const made: Kill[] = [];
  const request = { scope: "agent", target_id: "attacker", reason: "benchmark", activated_by: "bench" };
  while (made.length < KILLS) {
    const startedMs = performance.now();
    const answer = await post(`${url}/api/v1/kill-switch`, JSON.stringify(request), {
      wanted: 201,
      headers: { connection: "close" },
    });
    const { enforced, kill_switch_id: id } = answer as {
      readonly enforced: boolean;
      readonly kill_switch_id: string;
    };
    made.push({ ms: performance.now() - startedMs, enforced });
    await fetch(`${url}/api/v1/kill-switch/${id}`, {
      method: "DELETE",
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ deactivated_by: "bench", reason: "next round" }),
    });
  }
  return made;
}

function figuresOf(quiet: readonly Kill[], rounds: readonly Round[]): Figure[] {
  const slowest = (made: readonly Kill[]): number => Math.max(...made.map(({ ms }) => ms));
  const unconfirmed = (made: readonly Kill[]): number => made.filter(({ enforced }) => !enforced).length;
  return [
    figure(
      "kill answered, quiet",
      "ms",
      quiet.map(({ ms }) => ms),
    ),
    figure(
      "slowest kill of a round, all places taken",
      "ms",
      rounds.map((round) => slowest(round.kills)),
      atMost(250),
    ),
    figure(
      "slowest kill of a round, while they close",
      "ms",
      rounds.map((round) => slowest(round.closingKills)),
      atMost(250),
    ),
    figure(
      `answers of ${KILLS} that did not say enforced, all places taken`,
      "count",
      rounds.map((round) => unconfirmed(round.kills)),
    ),
    figure(
      "longest stall of the loop, all places taken",
      "ms",
      rounds.map(({ heldStallMs }) => heldStallMs),
    ),
    figure(
      "longest stall of the loop, they close",
      "ms",
      rounds.map(({ closingStallMs }) => closingStallMs),
      atMost(250),
    ),
  ];
}

/** What the server says of the connections that it closed. */
async function closedCounts(url: string): Promise<string> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = [...text.matchAll(/^svc_connections_closed_total\{cause="(\w+)"\} (\d+)/gm)];
  return `closed by limits: ${counts.map(([, cause, count]) => `${cause} ${count}`).join(", ")}`;
}
