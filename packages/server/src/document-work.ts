import type { Principal } from "@svc/contract/principal";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { FairQueue, type FairQueueOptions } from "@svc/process/fair-queue";

type DocumentPorts = Pick<ControlPlanePorts, "documents" | "simulations">;

/**
 * Turns of the organizations at one thread. The thread takes one order at a time; a second turn lets the next
 * organization's order wait there. An order takes 2 s at worst and is given up after 10 s.
 */
const TURNS: FairQueueOptions = { turns: 2, turnsPerLane: 1, waitMs: 30_000 };

/**
 * Most orders of one API key that run or wait at one thread, as count. Tools for infrastructure change ten
 * resources at once. A body has up to 256 KiB, so the orders of a key hold at most 4 MiB.
 */
const MAX_ORDERS_PER_KEY = 16;

/**
 * The threads that read policy documents, shared out: organizations take turns, and one API key has a few
 * orders at a time. Otherwise one author with slow documents would keep every other organization from
 * changing its policies.
 */
export class DocumentWork {
  readonly #ports: DocumentPorts;
  readonly #checks = new SharedThread();
  readonly #trials = new SharedThread();

  constructor(ports: DocumentPorts) {
    this.#ports = ports;
  }

  /** The ports for the requests of one key. They reject when the key asks for too much at once. */
  of(principal: Pick<Principal, "org" | "id">): DocumentPorts {
    const { documents, simulations } = this.#ports;
    const check = <Reply>(order: () => Promise<Reply>) => this.#checks.run(principal, order);
    const trial = <Reply>(order: () => Promise<Reply>) => this.#trials.run(principal, order);
    return {
      documents: { check: (text) => check(() => documents.check(text)) },
      simulations: {
        read: (body) => trial(() => simulations.read(body)),
        simulate: (simulation) => trial(() => simulations.simulate(simulation)),
        explain: (decision) => trial(() => simulations.explain(decision)),
        diff: (before, after) => trial(() => simulations.diff(before, after)),
      },
    };
  }
}

class SharedThread {
  readonly #queue = new FairQueue(TURNS);
  /** Orders that run or wait, by key. */
  readonly #orders = new Map<string, number>();

  async run<Reply>({ org, id }: Pick<Principal, "org" | "id">, order: () => Promise<Reply>): Promise<Reply> {
    const key = JSON.stringify([org, id]);
    const orders = (this.#orders.get(key) ?? 0) + 1;
    if (orders > MAX_ORDERS_PER_KEY) throw new Error(`key ${id} has ${String(MAX_ORDERS_PER_KEY)} orders`);
    this.#orders.set(key, orders);
    try {
      return await this.#inTurn(org, order);
    } finally {
      this.#leave(key);
    }
  }

  async #inTurn<Reply>(org: string, order: () => Promise<Reply>): Promise<Reply> {
    // Nobody leaves the wait early: the order of a caller that has gone still ends soon.
    const turn = await this.#queue.enter(org, new AbortController().signal);
    if (turn.kind !== "turn") throw new Error(`no turn came within ${String(TURNS.waitMs)} ms`);
    try {
      return await order();
    } finally {
      turn.end();
    }
  }

  #leave(key: string): void {
    const left = (this.#orders.get(key) ?? 1) - 1;
    if (left === 0) this.#orders.delete(key);
    else this.#orders.set(key, left);
  }
}
