import { execute } from "../support/server/api.ts";
import type { FaultyGateway } from "./faulty-gateway.ts";
import type { Call } from "./judge/trace.ts";
import { KILLED_AGENTS, STEADY_AGENT } from "./stage.ts";

/** Calls a second, to all gateways together. */
const CALLS_PER_SECOND = 300;

const TICK_MS = 10;

/** Most calls to one gateway at a time: a paused gateway is not sent more. */
const MOST_UNANSWERED = 500;

/** Sends calls at a steady rate, whatever becomes of them, and records each. */
export class SteadyCalls {
  readonly calls: Call[] = [];
  /** When the last allowed call of the steady agent was sent, by gateway. */
  readonly lastAllowMs = new Map<string, number>();
  readonly #gateways: readonly FaultyGateway[];
  readonly #unanswered = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  readonly #startedMs = performance.now();
  #order = 0;
  #notSent = 0;

  constructor(gateways: readonly FaultyGateway[]) {
    this.#gateways = gateways;
    this.#timer = setInterval(() => this.#sendDue(), TICK_MS);
  }

  /** Calls that were left out because the gateway was away or had too many. */
  get notSent(): number {
    return this.#notSent;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
  }

  #sendDue(): void {
    const due = ((performance.now() - this.#startedMs) / 1_000) * CALLS_PER_SECOND;
    for (; this.#order < due; this.#order += 1) this.#send(this.#order);
  }

  #send(order: number): void {
    const gateway = this.#gateways[order % this.#gateways.length];
    const url = gateway?.url;
    const unanswered = this.#unanswered.get(gateway?.id ?? "") ?? 0;
    if (gateway === undefined || url === undefined || url === null || unanswered >= MOST_UNANSWERED) {
      this.#notSent += 1;
      return;
    }
    this.#unanswered.set(gateway.id, unanswered + 1);
    const sent = this.#record(gateway.id, url, order).finally(() => {
      this.#pending.delete(sent);
      this.#unanswered.set(gateway.id, (this.#unanswered.get(gateway.id) ?? 1) - 1);
    });
    this.#pending.add(sent);
  }

  async #record(gateway: string, url: string, order: number): Promise<void> {
    const turn = Math.floor(order / this.#gateways.length);
    const killed = KILLED_AGENTS[(turn >> 1) % KILLED_AGENTS.length] ?? STEADY_AGENT;
    const agent = turn % 2 === 0 ? STEADY_AGENT : killed;
    const sentMs = performance.now();
    const known = { gateway, agent, order, sentMs };
    try {
      const { body } = await execute(url, { agent_id: agent, session_id: sessionOf(order) });
      const { decision, decision_id: id } = body;
      const decisionId = typeof id === "string" ? id : null;
      this.calls.push({ ...known, answeredMs: performance.now(), decision: String(decision), decisionId });
      if (agent === STEADY_AGENT && decision === "allow") this.#noteAllow(gateway, sentMs);
    } catch {
      // A connection that broke: nobody was told anything.
      this.calls.push({ ...known, answeredMs: null, decision: null, decisionId: null });
    }
  }

  #noteAllow(gateway: string, sentMs: number): void {
    this.lastAllowMs.set(gateway, Math.max(sentMs, this.lastAllowMs.get(gateway) ?? 0));
  }
}

/** The audit row of the call holds it, also where arguments are masked. */
function sessionOf(order: number): string {
  return `call-${String(order)}`;
}
