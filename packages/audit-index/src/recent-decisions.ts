import { formatDecisionId } from "@svc/contract/decision-id";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { RowFacts } from "./read-facts.ts";

/** Decisions kept, as count: reports mostly follow within seconds. */
const MAX_KEPT = 4_000;

/** The last decisions that were indexed. A report about an older one reads the row again. */
export class RecentDecisions {
  readonly #kept = new Map<string, RowFacts>();

  note(position: RowPosition, facts: RowFacts): void {
    this.#kept.set(formatDecisionId(position), facts);
    if (this.#kept.size <= MAX_KEPT) return;
    const oldest = this.#kept.keys().next().value;
    if (oldest !== undefined) this.#kept.delete(oldest);
  }

  find(position: RowPosition): RowFacts | null {
    return this.#kept.get(formatDecisionId(position)) ?? null;
  }
}
