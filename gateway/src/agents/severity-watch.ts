/** Called with the agent whose severity changed; null: those of any agents may have changed. */
type OnSeverity = (agent: { readonly org: string; readonly agentId: string } | null) => void;

/** Tells who waits for the recovery of agents that severities have changed. */
export class SeverityWatch {
  readonly #followers = new Set<OnSeverity>();

  /** @returns a function that ends this */
  follow(follower: OnSeverity): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  changed(org: string, agentId: string): void {
    for (const follower of this.#followers) follower({ org, agentId });
  }

  changedAll(): void {
    for (const follower of this.#followers) follower(null);
  }
}
