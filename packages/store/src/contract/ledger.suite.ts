import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { LedgerOutcome, Settlement } from "../ports/ledger.ts";
import type { SessionKey } from "../ports/session-usage.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { counters, entry } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const newSession = (agentId = "agent-1", sessionId = "session-1"): SessionKey => ({
  org: randomUUID(),
  agentId,
  sessionId,
});

const seqOf = (outcome: LedgerOutcome | undefined): number => {
  if (outcome?.kind !== "committed")
    throw new Error(`expected a committed entry, got ${JSON.stringify(outcome)}`);
  return outcome.position.seq;
};

export function ledgerContract(subject: ContractSubject): void {
  const ledger = () => subject.store().ledger;

  const commitOne = async (session: SessionKey, changes: Parameters<typeof counters>[1]) =>
    (await ledger().commit([entry("{}", { counters: counters(session, changes) })]))[0];

  describe("Ledger.commit", () => {
    // proves AUD-05
    it("appends the rows of a batch in order, contiguously, byte for byte", async () => {
      const rows = ['{"a":1}', '{"b":"\u00e9\u{1f512}\\u0000\\"\'"}', `{"c":"${"x".repeat(200_000)}"}`];
      const outcomes = await ledger().commit(rows.map((row) => entry(row)));
      const first = seqOf(outcomes[0]);
      expect(outcomes.map(seqOf)).toEqual([first, first + 1, first + 2]);
      const stored = await subject.store().audit.rows(subject.store().logId, first, 3);
      expect(stored.map(rowText)).toEqual(rows);
    });

    it("charges sessions, and refuses exactly at the ceilings", async () => {
      const session = newSession();
      const reserve = { maxSteps: 2, maxCostMicroUsd: 100, costMicroUsd: 50 };
      expect(await commitOne(session, reserve)).toMatchObject({ kind: "committed" });
      expect(await commitOne(session, { ...reserve, costMicroUsd: 51 })).toEqual({
        kind: "refused",
        ceiling: "max_cost",
        usage: { steps: 1, costMicroUsd: 50 },
      });
      expect(await commitOne(session, reserve)).toMatchObject({ kind: "committed" });
      expect(await commitOne(session, reserve)).toMatchObject({ kind: "refused", ceiling: "max_steps" });
      expect(await ledger().usage(session)).toEqual({ steps: 2, costMicroUsd: 100 });
    });

    it("leaves refused and stale entries of a batch out, and numbers the others without a gap", async () => {
      const session = newSession();
      const outcomes = await ledger().commit([
        entry('{"n":0}', { counters: counters(session, { maxSteps: 1 }) }),
        entry('{"n":1}', { counters: counters(session, { maxSteps: 1 }) }),
        entry('{"n":2}'),
        entry('{"n":3}', { counters: counters(session, { observed: { steps: 0, costMicroUsd: 0 } }) }),
        entry('{"n":4}', { counters: counters(session, { observed: { steps: 1, costMicroUsd: 0 } }) }),
      ]);
      const usage = { steps: 1, costMicroUsd: 0 };
      const first = seqOf(outcomes[0]);
      expect(outcomes.map(({ kind }) => kind)).toEqual([
        "committed",
        "refused",
        "committed",
        "stale",
        "committed",
      ]);
      expect(outcomes[1]).toEqual({ kind: "refused", ceiling: "max_steps", usage });
      expect(outcomes[3]).toEqual({ kind: "stale", usage });
      expect([seqOf(outcomes[2]), seqOf(outcomes[4])]).toEqual([first + 1, first + 2]);
      const stored = await subject.store().audit.rows(subject.store().logId, first, 10);
      expect(stored.map(rowText)).toEqual(['{"n":0}', '{"n":2}', '{"n":4}']);
    });

    it("commits a batch of which nothing is to be written", async () => {
      const session = newSession();
      expect(await commitOne(session, { maxSteps: 0 })).toMatchObject({ kind: "refused" });
      expect(await ledger().commit([])).toEqual([]);
      expect(await ledger().usage(session)).toEqual({ steps: 0, costMicroUsd: 0 });
    });

    it("E17: an amount that is not a count rejects the batch whole, and the next one works", async () => {
      const session = newSession();
      for (const costMicroUsd of [-1, Number.NaN, 0.5, Number.POSITIVE_INFINITY]) {
        const batch = [
          entry("{}", { counters: counters(session) }),
          entry("{}", { counters: counters(session, { costMicroUsd }) }),
        ];
        await expect(ledger().commit(batch)).rejects.toThrow(/costMicroUsd: expected a whole number/);
      }
      expect(await ledger().usage(session)).toEqual({ steps: 0, costMicroUsd: 0 });
      expect(await commitOne(session, {})).toMatchObject({ kind: "committed" });
    });

    // proves POL-16
    it("E13: two agents that name the same session do not share its budget", async () => {
      const session = newSession("agent-a");
      const other = { ...session, agentId: "agent-b" };
      const otherOrg = { ...session, org: randomUUID() };
      for (const key of [session, other, otherOrg]) {
        expect(await commitOne(key, { maxSteps: 1 })).toMatchObject({ kind: "committed" });
        expect(await commitOne(key, { maxSteps: 1 })).toMatchObject({ kind: "refused" });
      }
    });

    it("E13: keys whose parts run together alike are different sessions", async () => {
      const session = newSession("ab", "c");
      await commitOne(session, {});
      expect(await ledger().usage({ ...session, agentId: "a", sessionId: "bc" })).toEqual({
        steps: 0,
        costMicroUsd: 0,
      });
    });

    // proves POL-12
    it("E16: of 1,000 parallel calls on a ceiling of 100, exactly 100 are committed", async () => {
      const session = newSession();
      const batches = Array.from({ length: 40 }, async () =>
        ledger().commit(
          Array.from({ length: 25 }, () => entry("{}", { counters: counters(session, { maxSteps: 100 }) })),
        ),
      );
      const outcomes = (await Promise.all(batches)).flat();
      expect(outcomes.filter(({ kind }) => kind === "committed")).toHaveLength(100);
      expect(outcomes.filter(({ kind }) => kind === "refused")).toHaveLength(900);
      expect(await ledger().usage(session)).toEqual({ steps: 100, costMicroUsd: 0 });
    });
  });

  describe("Ledger.settle", () => {
    const settlement = (session: SessionKey, seq: number, changes: Partial<Settlement> = {}): Settlement => ({
      org: session.org,
      decision: { logId: subject.store().logId, seq },
      digest: "digest-1",
      status: "succeeded",
      charges: [{ key: session, steps: 0, costMicroUsd: -30 }],
      row: `{"outcome":${String(seq)}}`,
      idempotencyKey: "kept",
      grant: "kept",
      ...changes,
    });

    // proves AUD-18, EXEC-19
    it("writes the first report, tells a repeat from a conflict, and counts once", async () => {
      const session = newSession();
      const seq = seqOf(await commitOne(session, { costMicroUsd: 100 }));
      expect(await ledger().settle(settlement(session, seq))).toEqual({ kind: "settled" });
      expect(await ledger().settle(settlement(session, seq))).toEqual({ kind: "repeated" });
      expect(await ledger().settle(settlement(session, seq, { digest: "digest-2" }))).toEqual({
        kind: "conflict",
      });
      expect(await ledger().usage(session)).toEqual({ steps: 1, costMicroUsd: 70 });
      const rows = await subject.store().audit.rows(subject.store().logId, seq + 1, 10);
      expect(rows.map(rowText)).toEqual([`{"outcome":${String(seq)}}`]);
    });

    it("E17: never lowers a sum below zero", async () => {
      const session = newSession();
      const seq = seqOf(await commitOne(session, { costMicroUsd: 10 }));
      const charges = [{ key: session, steps: -5, costMicroUsd: -50 }];
      await ledger().settle(settlement(session, seq, { charges }));
      expect(await ledger().usage(session)).toEqual({ steps: 0, costMicroUsd: 0 });
    });

    it("lets one of many concurrent reports win", async () => {
      const session = newSession();
      const seq = seqOf(await commitOne(session, { costMicroUsd: 1_000 }));
      const reports = Array.from({ length: 12 }, async (_, n) =>
        ledger().settle(settlement(session, seq, { digest: `digest-${String(n % 2)}` })),
      );
      const kinds = (await Promise.all(reports)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "settled")).toHaveLength(1);
      expect(kinds.filter((kind) => kind === "repeated")).toHaveLength(5);
      expect(kinds.filter((kind) => kind === "conflict")).toHaveLength(6);
      expect(await ledger().usage(session)).toEqual({ steps: 1, costMicroUsd: 970 });
    });
  });

  describe("Ledger, with everything else that appends to its log,", () => {
    // proves AUD-05
    it("keeps one chain while batches, settlements and key changes run at once", async () => {
      const { store } = { store: subject.store() };
      const session = newSession();
      const seq = seqOf(await commitOne(session, {}));
      await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          await store.ledger.commit([entry("{}"), entry("{}", { counters: counters(session) })]);
          await store.ledger.settle({
            org: session.org,
            decision: { logId: "elsewhere", seq: seq * 100 + n },
            digest: "d",
            status: "failed",
            charges: [{ key: session, steps: 1, costMicroUsd: 1 }],
            row: "{}",
            idempotencyKey: "kept",
            grant: "kept",
          });
        }),
      );
      expect(await store.ledger.usage(session)).toEqual({ steps: 41, costMicroUsd: 20 });
      await readChain(store.audit, store.logId);
    });

    // proves STATE-04
    it("continues the chain and the sums after a restart", async () => {
      const place = await subject.newPlace();
      const session = newSession();
      for (let opening = 0; opening < 3; opening += 1) {
        const store = await place.open();
        await store.check();
        const outcomes = await store.ledger.commit([
          entry("{}", { counters: counters(session) }),
          entry("{}"),
        ]);
        expect(outcomes.map(seqOf)).toEqual([opening * 2, opening * 2 + 1]);
        expect(await store.ledger.usage(session)).toEqual({ steps: opening + 1, costMicroUsd: 0 });
        expect(await readChain(store.audit, store.logId)).toHaveLength(opening * 2 + 2);
        await store.close();
        await expect(store.ledger.commit([entry("{}")])).rejects.toThrow(/closed/);
      }
      await place.remove();
    });

    // proves AUD-13
    it("refuses a second opener of a log while the first is open, and no longer", async () => {
      const place = await subject.newPlace();
      const first = await place.open();
      await expect(place.open()).rejects.toThrow(/in use by another/);
      await first.ledger.commit([entry("{}")]);
      await first.close();
      const second = await place.open();
      await second.ledger.commit([entry("{}")]);
      expect(await readChain(second.audit, second.logId)).toHaveLength(2);
      await second.close();
      await place.remove();
    });
  });
}
