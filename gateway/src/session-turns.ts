import type { SessionKey } from "@svc/store/ports/session-usage";

/**
 * Lets the calls of one session take turns: for policies whose conditions read what the session has used, so
 * that two calls in this process never judge by the same figures. Calls of different sessions do not wait for
 * each other.
 */
export class SessionTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(key: SessionKey, work: () => Promise<Result>): Promise<Result> {
    const name = JSON.stringify([key.org, key.agentId, key.sessionId]);
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}
