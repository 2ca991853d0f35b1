import { setTimeout as delay } from "node:timers/promises";
import { type Answer, send } from "../support/server/api.ts";
import { activate, deactivate } from "../support/server/kill-switches.ts";
import type { FaultyGateway } from "./faulty-gateway.ts";
import type { AnsweredGateway, Kill, Release } from "./judge/trace.ts";
import { choose, type Random, randomDuration } from "./random.ts";

/** Milliseconds that a switch stays active, and that its agent is left alone: from and to. */
const HELD_MS = [200, 2_500] as const;
const FREE_MS = [100, 800] as const;

/** Milliseconds until a control request that has no answer is left alone and another gateway is asked. */
const GIVE_UP_MS = 4_000;

/** Milliseconds between two tries. */
const RETRY_MS = 100;

/** Activates and deactivates a switch for one agent all the time, each at any gateway, and records both. */
export class RestlessSwitches {
  readonly kills: Kill[] = [];
  readonly releases: Release[] = [];
  readonly #gateways: readonly FaultyGateway[];
  readonly #random: Random;
  readonly #loops: readonly Promise<void>[];
  #isEnded = false;
  #asked = 0;

  constructor(gateways: readonly FaultyGateway[], agents: readonly string[], random: Random) {
    this.#gateways = gateways;
    this.#random = random;
    this.#loops = agents.map((agent) => this.#run(agent));
  }

  /** Activations, also those without an answer. */
  get asked(): number {
    return this.#asked;
  }

  async stop(): Promise<void> {
    this.#isEnded = true;
    await Promise.all(this.#loops);
  }

  async #run(agent: string): Promise<void> {
    while (!this.#isEnded) {
      await this.#kill(agent);
      await delay(randomDuration(this.#random, ...HELD_MS));
      while (!(await this.#release(agent))) await delay(RETRY_MS);
      await delay(randomDuration(this.#random, ...FREE_MS));
    }
  }

  async #kill(agent: string): Promise<void> {
    const askedMs = performance.now();
    this.#asked += 1;
    const answer = await this.#ask((url) => activate(url, { scope: "agent", target_id: agent }));
    const answeredMs = performance.now();
    if (answer === null || answer.status >= 300) return;
    const { kill_switch_id: id, enforced, gateways, lease_ends_at: leaseEnd } = answer.body;
    const listed = (gateways as Record<string, unknown>[]).map(answeredGateway);
    this.kills.push({
      agent,
      switchId: String(id),
      askedMs,
      answeredMs,
      isEnforced: enforced === true,
      gateways: listed,
      leaseEndsMs: localMs(leaseEnd),
    });
  }

  /** @returns whether no switch of the agent is active, as far as a gateway says */
  async #release(agent: string): Promise<boolean> {
    const list = await this.#ask((url) => send("GET", `${url}/v1/kill-switch?status=active&limit=100`));
    if (list === null || list.status !== 200) return false;
    const active = (list.body["kill_switches"] as Record<string, unknown>[])
      .filter(({ target_id: target }) => target === agent)
      .map(({ kill_switch_id: id }) => String(id));
    const ended = await Promise.all(active.map((id) => this.#end(id)));
    return ended.every(Boolean);
  }

  async #end(switchId: string): Promise<boolean> {
    const askedMs = performance.now();
    const answer = await this.#ask((url) => deactivate(url, switchId));
    const isAnswered = answer !== null && answer.status === 200;
    // A refusal may be that of a proxy or come before a late commit, so it ends nothing.
    this.releases.push({ switchId, askedMs, answeredMs: isAnswered ? performance.now() : null });
    return isAnswered;
  }

  /** @returns null when nothing was answered in time */
  async #ask(question: (url: string) => Promise<Answer>): Promise<Answer | null> {
    const { url } = choose(this.#random, this.#gateways);
    if (url === null) return null;
    const giveUp = new AbortController();
    const late = delay(GIVE_UP_MS, null, { signal: giveUp.signal }).catch(() => null);
    try {
      return await Promise.race([question(url).catch(() => null), late]);
    } finally {
      giveUp.abort();
    }
  }
}

function answeredGateway(listed: Readonly<Record<string, unknown>>): AnsweredGateway {
  const { id, acknowledged_ms: acknowledged, lease_ends_at: ends } = listed;
  return { id: String(id), isAcknowledged: typeof acknowledged === "number", leaseEndsMs: localMs(ends) };
}

/** A time of an answer on the clock of the trace; null without one. */
function localMs(time: unknown): number | null {
  return typeof time === "string" ? Date.parse(time) - Date.now() + performance.now() : null;
}
