import { approvalRoutes } from "@svc/api/approval-routes";
import type { ApprovalItem, ApprovalStatus } from "@svc/contract/approval";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";

/**
 * Milliseconds that a look goes back behind the newest approval that it knows: servers stamp approvals by
 * their own clocks, and store them a moment later.
 */
const OVERLAP_MS = 60_000;

type Filter = Readonly<Record<string, string | undefined>>;

/** Finds each open approval once, whatever happens between two looks. */
export class NewApprovals {
  readonly #client: ControlClient;
  readonly #filter: Filter;
  /** Unix milliseconds by id, of approvals that a next look may meet again. */
  readonly #known = new Map<string, number>();
  /** Unix milliseconds of the newest approval; null: there was none. */
  #newestMs: number | null = null;

  constructor(client: ControlClient, filter: Filter) {
    this.#client = client;
    this.#filter = filter;
  }

  /** Those that are open now, the oldest first. */
  async open(): Promise<readonly ApprovalItem[]> {
    // Those that are opened between two of these questions are found by the next look.
    const newest = await this.#list(undefined, () => false);
    const found = await this.#list("suspended", () => true);
    found.push(...(await this.#list("pending", () => true)));
    for (const one of [...newest.filter(({ status }) => !isOpen(status)), ...found]) this.#note(one);
    return found.toSorted((left, right) => timeOf(left) - timeOf(right));
  }

  /** Those that were opened since, the oldest first. Each comes again until `shown` was called for it. */
  async next(): Promise<readonly ApprovalItem[]> {
    const floor = this.#newestMs === null ? null : this.#newestMs - OVERLAP_MS;
    const listed = await this.#list(undefined, (last) => floor === null || timeOf(last) >= floor);
    const open = listed.filter(({ id, status }) => isOpen(status) && !this.#known.has(id));
    // What has ended meanwhile needs nobody.
    for (const one of listed) if (!isOpen(one.status)) this.#note(one);
    for (const [id, timeMs] of this.#known) if (floor !== null && timeMs < floor) this.#known.delete(id);
    return open.filter((one) => floor === null || timeOf(one) >= floor).toReversed();
  }

  shown(one: ApprovalItem): void {
    this.#note(one);
  }

  #note(one: ApprovalItem): void {
    const timeMs = timeOf(one);
    this.#known.set(one.id, timeMs);
    this.#newestMs = Math.max(timeMs, this.#newestMs ?? timeMs);
  }

  async #list(status: ApprovalStatus | undefined, goesOn: (last: ApprovalItem) => boolean) {
    const found: ApprovalItem[] = [];
    const limit = String(MAX_PAGE_SIZE);
    const pages = everyPage((cursor) =>
      this.#client.ask(approvalRoutes.listApprovals, {
        query: { ...this.#filter, status, limit, cursor },
      }),
    );
    for await (const { approvals } of pages) {
      found.push(...approvals);
      const last = approvals.at(-1);
      if (last !== undefined && !goesOn(last)) break;
    }
    return found;
  }
}

function isOpen(status: ApprovalStatus): boolean {
  return status === "pending" || status === "suspended";
}

function timeOf({ requested_at }: ApprovalItem): number {
  return Date.parse(requested_at);
}
