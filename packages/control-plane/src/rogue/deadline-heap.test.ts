import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeadlineHeap, type Timed } from "./deadline-heap.ts";

const ENTRIES = 20;

const anyOperation = fc.oneof(
  fc.record({
    kind: fc.constant("set" as const),
    entry: fc.nat(ENTRIES - 1),
    dueMs: fc.nat(50),
  }),
  fc.record({ kind: fc.constant("remove" as const), entry: fc.nat(ENTRIES - 1) }),
  fc.record({ kind: fc.constant("take" as const), nowMs: fc.nat(50) }),
);

describe("DeadlineHeap", () => {
  it("gives what is due first, as a list that is searched would", () => {
    fc.assert(
      fc.property(fc.array(anyOperation, { maxLength: 200 }), (operations) => {
        const heap = new DeadlineHeap<Timed>();
        const entries = Array.from({ length: ENTRIES }, (): Timed => ({ dueMs: 0, place: -1 }));
        const list = new Map<Timed, number>();
        for (const operation of operations) {
          if (operation.kind === "take") {
            const first = Math.min(...list.values());
            const taken = heap.take(operation.nowMs);
            if (first > operation.nowMs) expect(taken).toBeNull();
            else {
              expect(taken?.dueMs).toBe(first);
              if (taken !== null) list.delete(taken);
            }
            continue;
          }
          const entry = entries[operation.entry];
          if (entry === undefined) continue;
          if (operation.kind === "set") {
            heap.set(entry, operation.dueMs);
            list.set(entry, operation.dueMs);
          } else {
            heap.remove(entry);
            list.delete(entry);
          }
          expect(heap.size).toBe(list.size);
        }
        const rest = Array.from({ length: list.size }, () => heap.take(50)?.dueMs);
        expect(rest).toEqual([...list.values()].toSorted((a, b) => a - b));
      }),
      { numRuns: runs(500, 5_000) },
    );
  });
});
