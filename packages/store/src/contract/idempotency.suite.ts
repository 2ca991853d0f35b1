import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { IdempotencyClaim } from "../ports/claims.ts";
import type { LedgerOutcome, Settlement } from "../ports/ledger.ts";
import type { RowPosition } from "../ports/row-position.ts";
import { counters, entry, keyClaim, NOW_MS } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const positionOf = (outcome: LedgerOutcome | undefined): RowPosition => {
  if (outcome?.kind !== "committed") throw new Error(`expected a commit, got ${JSON.stringify(outcome)}`);
  return outcome.position;
};

export function idempotencyContract(subject: ContractSubject): void {
  const store = () => subject.store();

  const claim = async (org: string, changes: Partial<IdempotencyClaim> = {}) => {
    const session = { org, agentId: "agent-1", sessionId: "session-1" };
    const claims = { idempotency: keyClaim(org, changes), counters: counters(session) };
    return (await store().ledger.commit([entry("{}", claims)]))[0];
  };
  const steps = async (org: string) =>
    (await store().ledger.usage({ org, agentId: "agent-1", sessionId: "session-1" })).steps;

  describe("Claims: idempotency", () => {
    // proves EXEC-31
    it("gives a repeat the position of the first row, and charges once", async () => {
      const org = randomUUID();
      const position = positionOf(await claim(org));
      const repeated = { kind: "repeated", position };
      expect(await claim(org)).toEqual(repeated);
      expect(await claim(org, { atMs: NOW_MS + 999 })).toEqual(repeated);
      expect(await steps(org)).toBe(1);
      const head = (await store().audit.heads()).find(({ logId }) => logId === position.logId);
      expect(head?.size).toBe(position.seq + 1);
    });

    it("tells another request that the key is taken, in the same batch too", async () => {
      const org = randomUUID();
      const other = { idempotency: keyClaim(org, { requestDigest: "request-2" }) };
      const outcomes = await store().ledger.commit([
        entry("{}", { idempotency: keyClaim(org) }),
        entry("{}", { idempotency: keyClaim(org) }),
        entry("{}", other),
      ]);
      const position = positionOf(outcomes[0]);
      expect(outcomes.slice(1)).toEqual([{ kind: "repeated", position }, { kind: "key_conflict" }]);
      expect(await store().ledger.commit([entry("{}", other)])).toEqual([{ kind: "key_conflict" }]);
    });

    it("keeps the keys of two organizations apart", async () => {
      expect(await claim(randomUUID())).toMatchObject({ kind: "committed" });
      expect(await claim(randomUUID())).toMatchObject({ kind: "committed" });
    });

    it("is free again once it has expired", async () => {
      const org = randomUUID();
      const first = positionOf(await claim(org));
      expect(await claim(org, { atMs: NOW_MS + 999 })).toEqual({ kind: "repeated", position: first });
      const later = { atMs: NOW_MS + 1_000, expiresAtMs: NOW_MS + 2_000, requestDigest: "request-2" };
      const second = positionOf(await claim(org, later));
      const last = { ...later, atMs: NOW_MS + 1_999 };
      expect(await claim(org, last)).toEqual({ kind: "repeated", position: second });
    });

    it("comes before the other claims: a repeat is not refused for a ceiling", async () => {
      const org = randomUUID();
      const session = { org, agentId: "agent-1", sessionId: "session-1" };
      const claims = { idempotency: keyClaim(org), counters: counters(session, { maxSteps: 1 }) };
      const [first] = await store().ledger.commit([entry("{}", claims)]);
      expect(await store().ledger.commit([entry("{}", claims)])).toEqual([
        { kind: "repeated", position: positionOf(first) },
      ]);
    });

    it("is not taken when another claim of the entry is refused", async () => {
      const org = randomUUID();
      const session = { org, agentId: "agent-1", sessionId: "session-1" };
      const full = { idempotency: keyClaim(org), counters: counters(session, { maxSteps: 0 }) };
      expect(await store().ledger.commit([entry("{}", full)])).toMatchObject([{ kind: "refused" }]);
      const outcomes = await store().ledger.commit([
        entry("{}", full),
        entry("{}"),
        entry("{}", { idempotency: keyClaim(org, { requestDigest: "request-2" }) }),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(["refused", "committed", "committed"]);
    });

    it("can be taken from the row that the caller names, and from no other", async () => {
      const org = randomUUID();
      const first = positionOf(await claim(org));
      const second = positionOf(await claim(org, { replaces: first }));
      expect(await claim(org, { replaces: first })).toEqual({ kind: "repeated", position: second });
      expect(await claim(org, { replaces: { ...first, logId: "elsewhere" } })).toMatchObject({
        kind: "repeated",
      });
      expect(await claim(org)).toEqual({ kind: "repeated", position: second });
      expect(await steps(org)).toBe(2);
    });

    // proves EXEC-31
    it("lets one of 40 rows that race take it, and gives the others its position", async () => {
      const org = randomUUID();
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => claim(org)));
      const taken = outcomes.filter((outcome) => outcome?.kind === "committed");
      expect(taken).toHaveLength(1);
      const repeated = { kind: "repeated", position: positionOf(taken[0]) };
      expect(outcomes.filter((outcome) => outcome?.kind === "repeated")).toEqual(
        Array.from({ length: 39 }, () => repeated),
      );
      expect(await steps(org)).toBe(1);
    });

    it("is still taken after a restart", async () => {
      const place = await subject.newPlace();
      const first = await place.open();
      const [taken] = await first.ledger.commit([entry("{}", { idempotency: keyClaim("org") })]);
      await first.close();
      const second = await place.open();
      const repeat = entry("{}", { idempotency: keyClaim("org") });
      expect(await second.ledger.commit([repeat])).toEqual([
        { kind: "repeated", position: positionOf(taken) },
      ]);
      await second.close();
      await place.remove();
    });
  });

  describe("Ledger.settle, of a decision that holds a key,", () => {
    const settle = (org: string, decision: RowPosition, idempotencyKey: Settlement["idempotencyKey"]) => {
      const key = { org, agentId: "agent-1", sessionId: "session-1" };
      return store().ledger.settle({
        org,
        decision,
        digest: "digest-1",
        status: "not_executed",
        charges: [{ key, steps: -1, costMicroUsd: 0 }],
        row: "{}",
        idempotencyKey,
        grant: "kept",
      });
    };

    // proves EXEC-24
    it("frees the key with the charge", async () => {
      const org = randomUUID();
      const first = positionOf(await claim(org));
      await claim(org);
      expect(await settle(org, first, "released")).toEqual({ kind: "settled" });
      expect(await steps(org)).toBe(0);
      expect(await claim(org)).toMatchObject({ kind: "committed" });
    });

    it("leaves it to its row, or to the row that has taken it since", async () => {
      const org = randomUUID();
      const first = positionOf(await claim(org));
      expect(await settle(org, first, "kept")).toEqual({ kind: "settled" });
      expect(await claim(org)).toEqual({ kind: "repeated", position: first });
      const second = positionOf(await claim(org, { replaces: first }));
      const third = positionOf(await claim(org, { replaces: second }));
      expect(await settle(org, second, "released")).toEqual({ kind: "settled" });
      expect(await claim(org)).toEqual({ kind: "repeated", position: third });
    });

    // proves EXEC-32
    it("withdraws a decision unless a repeat was answered with it", async () => {
      const org = randomUUID();
      const unseen = positionOf(await claim(org));
      expect(await settle(org, unseen, "released_unless_repeated")).toEqual({ kind: "settled" });
      const seen = positionOf(await claim(org));
      await claim(org);
      const before = await steps(org);
      const size = async () => (await store().audit.heads()).find(({ logId }) => logId === seen.logId)?.size;
      const rows = await size();
      expect(await settle(org, seen, "released_unless_repeated")).toEqual({ kind: "in_use" });
      expect([await steps(org), await size()]).toEqual([before, rows]);
      expect(await claim(org)).toEqual({ kind: "repeated", position: seen });
      expect(await settle(org, seen, "released")).toEqual({ kind: "settled" });
    });

    it("does not withdraw a decision from which another row has taken the key", async () => {
      const org = randomUUID();
      const first = positionOf(await claim(org));
      await claim(org, { replaces: first });
      expect(await settle(org, first, "released_unless_repeated")).toEqual({ kind: "in_use" });
      expect(await steps(org)).toBe(2);
    });

    // proves EXEC-32
    it("withdraws it or gives it to a repeat, never both, when the two race", async () => {
      for (let round = 0; round < 20; round += 1) {
        const org = randomUUID();
        const first = positionOf(await claim(org));
        const [settled, repeat] = await Promise.all([
          settle(org, first, "released_unless_repeated"),
          claim(org),
        ]);
        const given = repeat?.kind === "repeated";
        expect(settled.kind).toBe(given ? "in_use" : "settled");
        expect(await steps(org)).toBe(1);
      }
    });
  });

  describe("IdempotencyStore", () => {
    it("removes expired keys, as many as it is told to, and no other", async () => {
      const org = randomUUID();
      const commit = (keyDigest: string, expiresAtMs: number) =>
        store().ledger.commit([
          entry("{}", { idempotency: keyClaim(org, { keyDigest, atMs: 0, expiresAtMs }) }),
        ]);
      for (const key of ["a", "b", "c"]) await commit(key, 10);
      await commit("d", 11);
      expect(await store().idempotency.removeExpiredKeys(9, 10)).toBe(0);
      expect(await store().idempotency.removeExpiredKeys(10, 2)).toBe(2);
      expect(await store().idempotency.removeExpiredKeys(10, 2)).toBe(1);
      expect(await store().idempotency.removeExpiredKeys(10, 2)).toBe(0);
      expect(await store().idempotency.removeExpiredKeys(11, 2)).toBe(1);
    });
  });
}
