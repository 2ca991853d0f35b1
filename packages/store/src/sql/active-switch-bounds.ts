/** Organizations whose last count is kept, as count. Beyond it, all are counted again. */
const MAX_ORGS = 10_000;

interface SwitchCount {
  readonly count: number;
  /** The revision of control state at which it was taken. */
  readonly revision: number;
}

/**
 * Says whether an organization has reached its limit of active switches, mostly without counting them. Each
 * activation takes a revision of its own. So since a count, at most as many switches were added as revisions.
 */
export class ActiveSwitchBounds {
  readonly #counts = new Map<string, SwitchCount>();

  /**
   * @param at the organization, its limit, and the present revision, which does not change during the call
   * @param countActive counts the active switches of the organization
   */
  async isFull(
    { org, limit, revision }: { readonly org: string; readonly limit: number; readonly revision: number },
    countActive: () => Promise<number>,
  ): Promise<boolean> {
    const known = this.#counts.get(org);
    if (known !== undefined && revision >= known.revision) {
      const most = known.count + revision - known.revision;
      if (most < limit) return false;
    }
    const count = await countActive();
    if (this.#counts.size >= MAX_ORGS) this.#counts.clear();
    this.#counts.set(org, { count, revision });
    return count >= limit;
  }
}
