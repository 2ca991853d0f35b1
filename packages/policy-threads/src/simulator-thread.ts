import type {
  DiffReply,
  ExplanationOrder,
  ExplanationReply,
  SimulationNeeds,
  SimulationOrder,
  SimulationReply,
} from "@svc/policy-analysis/simulation-exchange";
import { threadUrl } from "@svc/process/thread-url";
import { PolicyThread, type PolicyThreadOptions } from "./policy-thread.ts";
import type { SimulatorOrder, SimulatorReply } from "./simulator-protocol.ts";

const WORKER_URL = threadUrl("simulator-worker", import.meta.url);

/** Most orders that wait, as count, so that a flood does not fill memory. */
const MAX_WAITING = 16;

/**
 * The thread that tries calls and compares versions, as seen from the one that serves calls. It is not the
 * policy compiler's: no author may delay a version that a gateway waits for. The first order starts it.
 * Every method rejects when the thread was lost or is too busy, which says nothing about the request.
 */
export class SimulatorThread {
  readonly #thread: PolicyThread<SimulatorOrder>;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ workerUrl = WORKER_URL, ...options }: PolicyThreadOptions) {
    this.#thread = new PolicyThread("policy-simulator", workerUrl, options);
  }

  /** Reads a request, and says what it needs from the store. */
  async read(body: Uint8Array): Promise<SimulationNeeds | SimulationReply> {
    const reply = await this.#ask({ kind: "read", body });
    if (reply.kind === "compared" || reply.kind === "explained")
      throw new Error("the simulator did not read the request");
    return reply;
  }

  async simulate(simulation: SimulationOrder): Promise<SimulationReply> {
    const reply = await this.#ask({ kind: "simulate", simulation });
    if (reply.kind === "compared" || reply.kind === "explained" || reply.kind === "needs")
      throw new Error("the simulator did not simulate");
    return reply;
  }

  /** Makes a recorded decision again. */
  async explain(decision: ExplanationOrder): Promise<ExplanationReply> {
    const reply = await this.#ask({ kind: "explain", decision });
    if (reply.kind !== "explained") throw new Error("the simulator did not explain");
    return reply;
  }

  /** Compares two documents, which are JSON. */
  async diff(before: string, after: string): Promise<DiffReply> {
    const reply = await this.#ask({ kind: "diff", before, after });
    if (reply.kind !== "compared") throw new Error("the simulator did not compare");
    return reply;
  }

  /** Ends the thread. Orders without a reply are rejected. */
  async close(): Promise<void> {
    await this.#thread.close();
  }

  /** One order is on the thread at a time, so a thread that is lost takes no other order with it. */
  async #ask(order: SimulatorOrder): Promise<SimulatorReply> {
    if (this.#waiting >= MAX_WAITING) throw new Error("too many simulations wait");
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#run(order));
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #run(order: SimulatorOrder): Promise<SimulatorReply> {
    return (await this.#thread.run(order)) as SimulatorReply;
  }
}
