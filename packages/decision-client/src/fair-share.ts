/** Number of questions of one agent that may wait for their turn. Further ones are refused by name. */
export const MAX_WAITING_PER_AGENT = 2_048;

/** Number of questions of all agents that may wait. */
export const MAX_WAITING = 10_000;

/** Number of agents without questions that are remembered, so that their next question allocates less. */
const MAX_IDLE_AGENTS = 64;

/** A question that wants a place. Only FairShare sets its state. */
export interface Turn {
  readonly agentId: string;
  /** Outside before it enters and after it leaves. */
  state: "outside" | "waiting" | "begun";
  /** Called once, when it has a place; never after `leave`. */
  start(): void;
}

interface Agent {
  inFlight: number;
  /** In the order in which they came. `NONE` until the first one waits. */
  waiting: Set<Turn>;
}

/** Shared, because most questions never wait. Nothing is ever added to it. */
const NONE: Set<Turn> = new Set();

/**
 * Shares a number of places among agents. With n agents at work one may hold an (n + 1)th of the places, so
 * that there is always room for another; a place that is given back goes to the waiting agent that holds the
 * fewest. One agent's thousand questions delay its own.
 */
export class FairShare {
  /** Those at work, and some that were. */
  readonly #agents = new Map<string, Agent>();
  readonly #places: number;
  #atWork = 0;
  #inFlight = 0;
  #waiting = 0;
  #isStarting = false;

  constructor(places: number) {
    this.#places = places;
  }

  /**
   * Starts the question, within this call or when it is its turn. Once it has entered, `leave` must be called
   * when it is over, also when it never began. A question that finds the queue full stays outside.
   */
  enter(turn: Turn): "entered" | "full" {
    const agent = this.#agentAtWork(turn.agentId);
    if (this.#mayStart(agent)) {
      this.#begin(agent, turn);
      return "entered";
    }
    if (agent.waiting.size >= MAX_WAITING_PER_AGENT || this.#waiting >= MAX_WAITING) {
      this.#rest(turn.agentId, agent);
      return "full";
    }
    if (agent.waiting === NONE) agent.waiting = new Set();
    agent.waiting.add(turn);
    turn.state = "waiting";
    this.#waiting += 1;
    return "entered";
  }

  /** Gives its place back, or its place in the queue. Does nothing for one that is outside. */
  leave(turn: Turn): void {
    const agent = this.#agents.get(turn.agentId);
    if (turn.state === "outside" || agent === undefined) return;
    if (turn.state === "waiting") {
      agent.waiting.delete(turn);
      this.#waiting -= 1;
    } else {
      agent.inFlight -= 1;
      this.#inFlight -= 1;
    }
    turn.state = "outside";
    this.#rest(turn.agentId, agent);
    this.#startNext();
  }

  #agentAtWork(id: string): Agent {
    let agent = this.#agents.get(id);
    if (agent === undefined) {
      agent = { inFlight: 0, waiting: NONE };
      this.#agents.set(id, agent);
    }
    if (isIdle(agent)) this.#atWork += 1;
    return agent;
  }

  /** Called when a question of this agent is over. */
  #rest(id: string, agent: Agent): void {
    if (!isIdle(agent)) return;
    this.#atWork -= 1;
    agent.waiting = NONE;
    if (this.#agents.size - this.#atWork > MAX_IDLE_AGENTS) this.#agents.delete(id);
  }

  #placesOfOne(): number {
    return Math.max(1, Math.floor(this.#places / (this.#atWork + 1)));
  }

  #mayStart(agent: Agent): boolean {
    return this.#inFlight < this.#places && agent.inFlight < this.#placesOfOne() && agent.waiting.size === 0;
  }

  #begin(agent: Agent, turn: Turn): void {
    agent.inFlight += 1;
    this.#inFlight += 1;
    turn.state = "begun";
    turn.start();
  }

  /** Begins what may begin now: the agent with the fewest in flight first, its oldest question first. */
  #startNext(): void {
    // A question that ends during its start must not start the next one recursively: thousands may wait.
    if (this.#isStarting || this.#waiting === 0) return;
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
      this.#begin(next, turn);
    }
  }

  #nextAgent(): Agent | null {
    const share = this.#placesOfOne();
    let next: Agent | null = null;
    for (const agent of this.#agents.values())
      if (agent.waiting.size > 0 && agent.inFlight < share && agent.inFlight < (next?.inFlight ?? share))
        next = agent;
    return next;
  }
}

function isIdle({ inFlight, waiting }: Agent): boolean {
  return inFlight === 0 && waiting.size === 0;
}
