import type { EventQuery } from "@svc/store/ports/event-rows";
import type { ForwardedRow, ForwardPage } from "@svc/store/ports/forwarded-rows";
import { newIntegrationCourse, type StoredIntegrationCourse } from "@svc/store/ports/integration-courses";
import { BatchCourier } from "../batches/batch-courier.ts";
import type { BatchOutcome } from "../batches/batch-destination.ts";

/** Logs, a receiver and a clock that a test moves. Several couriers can work on the one integration. */
export class BatchWorld {
  /** Each batch that was sent, as ids of its rows. */
  readonly sent: (readonly string[])[] = [];
  /** What the receiver answers now. */
  answer: (ids: readonly string[]) => Partial<BatchOutcome> = () => ({});
  /** Null while it is disabled. */
  revision: string | null = "1";
  /** Called before the course is stored: a crash rejects. */
  beforeStore: () => void = () => undefined;
  nowMs = Date.UTC(2026, 0, 1);
  stored: StoredIntegrationCourse | null = { version: 1, course: newIntegrationCourse(new Map()) };
  readonly #logs = new Map<string, (ForwardedRow | null)[]>();

  /** Rows of the organization, or of others. @returns the ids of those of the organization */
  append(logId: string, count: number, isOwn = true): readonly string[] {
    const rows = this.#logs.get(logId) ?? [];
    this.#logs.set(logId, rows);
    return Array.from({ length: count }, () => {
      const seq = rows.length;
      const place = { logId, seq, kind: "decision", timeMs: this.nowMs, severity: 1 };
      rows.push(isOwn ? { ...place, line: "{}" } : null);
      return `${logId}.${String(seq)}`;
    });
  }

  courier(): BatchCourier {
    return new BatchCourier({
      id: "int_1",
      destination: () => this.#destination(),
      store: {
        course: async () => this.stored,
        change: async (_, { version, course }) => {
          this.beforeStore();
          if (this.stored?.version !== version) return null;
          this.stored = { version: version + 1, course };
          return version + 1;
        },
      },
      read: async (query) => this.#read(query),
      noteAttempt: () => undefined,
      clock: { now: () => new Date(this.nowMs) },
      random: () => 0,
    });
  }

  /** Steps until nothing is to be sent at once. */
  async drain(courier: BatchCourier): Promise<void> {
    while (await courier.step(new AbortController().signal));
  }

  #destination() {
    const { revision } = this;
    if (revision === null) return null;
    const about = {
      id: "int_1",
      org: "acme",
      kind: "siem_http",
      origin: "",
      revision,
      format: "rows",
    } as const;
    return {
      ...about,
      send: async (rows: readonly ForwardedRow[]): Promise<BatchOutcome> => {
        const ids = rows.map(({ logId, seq }) => `${logId}.${String(seq)}`);
        this.sent.push(ids);
        const fine = { kind: "delivered", refused: 0, status: 200, fault: null, answer: "" } as const;
        return { ...fine, retryAfterMs: null, ...this.answer(ids) };
      },
    };
  }

  #read({ from, limit }: EventQuery): ForwardPage {
    const sizes = new Map([...this.#logs].map(([logId, rows]) => [logId, rows.length]));
    const next = new Map(from);
    const found: ForwardedRow[] = [];
    let left = limit;
    for (const [logId, start] of from) {
      const rows = this.#logs.get(logId)?.slice(start, start + left) ?? [];
      left -= rows.length;
      found.push(...rows.filter((row) => row !== null));
      next.set(logId, start + rows.length);
    }
    return { rows: found, next, sizes, unreadable: 0 };
  }
}
