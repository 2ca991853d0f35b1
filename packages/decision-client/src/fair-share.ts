/** Number of questions of one agent that may wait for their turn. Further ones are refused by name. */
export const MAX_WAITING_PER_AGENT = 2_048;

/** Number of questions of all agents that may wait. */
export const MAX_WAITING = 10_000;

interface Turn {
  readonly agentId: string;
  readonly start: () => void;
}

interface Agent {
  inFlight: number;
  /** In the order in which they came. `NONE` until the first one waits. */
  waiting: Set<Turn>;
}

/** Shared, because most questions never wait. Nothing is ever added to it. */
const NONE: Set<Turn> = new Set();

/** What a question gets: a turn, at once or later, or the refusal. */
export type Entered =
  /** `leave` must be called when the question is over, also when it never began; more calls do nothing. */
  { readonly kind: "entered"; readonly leave: () => void } | { readonly kind: "full" };

/**
 * Shares a number of places among agents. With n agents at work one may hold an (n + 1)th of the places, so
 * that there is always room for another; a place that is given back goes to the waiting agent that holds the
 * fewest. One agent's thousand questions delay its own.
 */
export class FairShare {
  readonly #agents = new Map<string, Agent>();
  readonly #places: number;
  #inFlight = 0;
  #waiting = 0;
  #isStarting = false;

  constructor(places: number) {
    this.#places = places;
  }

  /** @param start called once, within this call or when it is this question's turn; never after `leave` */
  enter(agentId: string, start: () => void): Entered {
    const agent = this.#agents.get(agentId) ?? { inFlight: 0, waiting: NONE };
    this.#agents.set(agentId, agent);
    const turn = { agentId, start };
    if (this.#mayStart(agent)) {
      this.#begin(agent);
      start();
      return { kind: "entered", leave: this.#leaving(agent, turn) };
    }
    if (agent.waiting.size >= MAX_WAITING_PER_AGENT || this.#waiting >= MAX_WAITING) {
      this.#forget(agentId, agent);
      return { kind: "full" };
    }
    if (agent.waiting === NONE) agent.waiting = new Set();
    agent.waiting.add(turn);
    this.#waiting += 1;
    return { kind: "entered", leave: this.#leaving(agent, turn) };
  }

  #mayStart(agent: Agent): boolean {
    const share = Math.max(1, Math.floor(this.#places / (this.#agents.size + 1)));
    return this.#inFlight < this.#places && agent.inFlight < share && agent.waiting.size === 0;
  }

  #begin(agent: Agent): void {
    agent.inFlight += 1;
    this.#inFlight += 1;
  }

  #leaving(agent: Agent, turn: Turn): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      if (agent.waiting.delete(turn)) this.#waiting -= 1;
      else {
        agent.inFlight -= 1;
        this.#inFlight -= 1;
      }
      this.#forget(turn.agentId, agent);
      this.#startNext();
    };
  }

  #forget(agentId: string, agent: Agent): void {
    if (agent.inFlight === 0 && agent.waiting.size === 0) this.#agents.delete(agentId);
  }

  /** Begins what may begin now: the agent with the fewest in flight first, its oldest question first. */
  #startNext(): void {
    // A question that ends during its start must not start the next one recursively: thousands may wait.
    if (this.#isStarting) return;
    this.#isStarting = true;
    try {
      this.#startAll();
    } finally {
      this.#isStarting = false;
    }
  }

  #startAll(): void {
    while (this.#waiting > 0 && this.#inFlight < this.#places) {
      const next = this.#nextAgent();
      const [turn] = next?.waiting ?? [];
      if (next === null || turn === undefined) return;
      next.waiting.delete(turn);
      this.#waiting -= 1;
      this.#begin(next);
      turn.start();
    }
  }

  #nextAgent(): Agent | null {
    const share = Math.max(1, Math.floor(this.#places / (this.#agents.size + 1)));
    let next: Agent | null = null;
    for (const agent of this.#agents.values())
      if (agent.waiting.size > 0 && agent.inFlight < share && agent.inFlight < (next?.inFlight ?? share))
        next = agent;
    return next;
  }
}
