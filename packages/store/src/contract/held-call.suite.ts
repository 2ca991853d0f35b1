import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { HeldCallClaim } from "../ports/claims.ts";
import type { HeldCallFilter } from "../ports/held-call-store.ts";
import { counters, entry, heldCallClaim, NOW_MS } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const ANY: HeldCallFilter = {
  status: null,
  agentId: null,
  sessionId: null,
  tool: null,
  agents: null,
  namespaces: null,
  atMs: NOW_MS,
};

const END = { at: "2026-01-02T03:04:05.678Z", by: "rogue_detection", reason: "the agent recovered" };

export function heldCallContract(subject: ContractSubject): void {
  const store = () => subject.store();
  const claimOf = (org: string, changes: Partial<HeldCallClaim> = {}) =>
    entry("{}", { holdsCall: heldCallClaim(org, changes) });
  const hold = async (org: string, changes: Partial<HeldCallClaim> = {}) =>
    (await store().ledger.commit([claimOf(org, changes)]))[0];
  const named = (n: number): Partial<HeldCallClaim> => ({
    heldCallId: `hld_${String(n)}`,
    callDigest: `call-${String(n)}`,
    atMs: NOW_MS + n,
    expiresAtMs: NOW_MS + 1_000,
  });
  const end = (org: string, id: string, status: "released" | "revoked" | "expired" = "released") =>
    store().heldCalls.endHeldCall({ org, id, status, end: END, auditRow: "{}" });

  describe("Claims: holdsCall", () => {
    it("stores the held call with the row that holds it", async () => {
      const org = randomUUID();
      const outcome = await hold(org, { sessionId: null });
      if (outcome?.kind !== "committed") throw new Error(`expected a commit, got ${String(outcome?.kind)}`);
      expect(await store().heldCalls.heldCall(org, "hld_1")).toEqual({
        org,
        id: "hld_1",
        callDigest: "call-1",
        namespace: "default",
        agentId: "agent-1",
        sessionId: null,
        tool: "payments.refund",
        requestedBy: "key-1",
        revision: 7,
        position: outcome.position,
        heldAtMs: NOW_MS,
        expiresAtMs: NOW_MS + 1_000,
        status: "held",
        end: null,
      });
      expect(await store().heldCalls.heldCall(randomUUID(), "hld_1")).toBeNull();
    });

    // proves HELD-03
    it("holds a call once, and names it to its repeats, also within one batch", async () => {
      const org = randomUUID();
      const first = await hold(org);
      if (first?.kind !== "committed") throw new Error(`expected a commit, got ${String(first?.kind)}`);
      const known = { kind: "call_held", heldCallId: "hld_1", position: first.position };
      expect(await hold(org, { heldCallId: "hld_2" })).toEqual(known);
      expect(await store().heldCalls.heldCall(org, "hld_2")).toBeNull();
      expect(await hold(randomUUID())).toMatchObject({ kind: "committed" });
      const batch = [claimOf(org, named(7)), claimOf(org, { ...named(8), callDigest: "call-7" })];
      expect(await store().ledger.commit(batch)).toMatchObject([
        { kind: "committed" },
        { kind: "call_held", heldCallId: "hld_7" },
      ]);
    });

    it("holds it anew once it was released, or its time is over", async () => {
      const org = randomUUID();
      await hold(org);
      expect(await end(org, "hld_1")).toBe("ended");
      expect(await hold(org, { heldCallId: "hld_2" })).toMatchObject({ kind: "committed" });
      const later = { heldCallId: "hld_3", atMs: NOW_MS + 1_000, expiresAtMs: NOW_MS + 2_000 };
      expect(await hold(org, later)).toMatchObject({ kind: "committed" });
      expect(await store().heldCalls.heldCall(org, "hld_2")).toMatchObject({ status: "held", end: null });
      const of = { org, agentId: "agent-1" };
      const left = await store().heldCalls.unresolved({ agent: of, after: null, limit: 10 });
      expect(left.map(({ id }) => id)).toEqual(["hld_2", "hld_3"]);
    });

    // proves HELD-04
    it("is refused beyond the limit of the agent; calls whose time is over do not count", async () => {
      const org = randomUUID();
      const of = (n: number) => ({ ...named(n), maxHeld: 2 });
      await hold(org, of(1));
      expect(await store().ledger.commit([claimOf(org, of(2)), claimOf(org, of(3))])).toMatchObject([
        { kind: "committed" },
        { kind: "held_calls_full" },
      ]);
      expect(await hold(org, { ...of(3), agentId: "agent-2" })).toMatchObject({ kind: "committed" });
      const later = { ...of(4), atMs: NOW_MS + 1_000, expiresAtMs: NOW_MS + 2_000 };
      expect(await hold(org, later)).toMatchObject({ kind: "committed" });
    });

    it("takes nothing when another claim of the entry is refused", async () => {
      const org = randomUUID();
      const key = { org, agentId: "agent-1", sessionId: "session-1" };
      const full = counters(key, { steps: 2, maxSteps: 1 });
      const refused = entry("{}", { holdsCall: heldCallClaim(org), counters: full });
      expect(await store().ledger.commit([refused])).toMatchObject([{ kind: "refused" }]);
      expect(await store().heldCalls.heldCall(org, "hld_1")).toBeNull();
    });
  });

  describe("HeldCallStore", () => {
    it("ends a held call once, with its row", async () => {
      const org = randomUUID();
      await hold(org);
      const size = async () =>
        (await store().audit.heads()).find(({ logId }) => logId === store().logId)?.size;
      const before = await size();
      const ends = await Promise.all([end(org, "hld_1"), end(org, "hld_1", "revoked")]);
      expect(ends.toSorted()).toEqual(["ended", "moved"]);
      expect(await size()).toBe((before ?? 0) + 1);
      expect(await store().heldCalls.heldCall(org, "hld_1")).toMatchObject({ end: END });
      expect(await end(org, "hld_9")).toBe("moved");
      expect(await end(randomUUID(), "hld_1")).toBe("moved");
    });

    // proves HELD-05
    it("lists newest first, page by page, by status, agent, session, tool and binding", async () => {
      const org = randomUUID();
      for (let n = 1; n <= 3; n += 1) await hold(org, named(n));
      await hold(org, { ...named(4), agentId: "agent-2", sessionId: "s-2", tool: "t", namespace: "n" });
      await end(org, "hld_2", "revoked");
      const list = async (changes: Partial<HeldCallFilter>, limit = 10, after: string | null = null) => {
        const page = await store().heldCalls.heldCalls(org, { ...ANY, ...changes }, { limit, after });
        if (page === "bad_cursor") throw new Error("bad cursor");
        return { ids: page.items.map(({ id }) => id), next: page.next };
      };
      expect((await list({})).ids).toEqual(["hld_4", "hld_3", "hld_2", "hld_1"]);
      const first = await list({}, 2);
      expect(first.ids).toEqual(["hld_4", "hld_3"]);
      expect(await list({}, 2, first.next)).toEqual({ ids: ["hld_2", "hld_1"], next: null });
      expect((await list({ status: "held" })).ids).toEqual(["hld_4", "hld_3", "hld_1"]);
      expect((await list({ status: "held", atMs: NOW_MS + 1_000 })).ids).toEqual([]);
      expect((await list({ status: "expired", atMs: NOW_MS + 1_000 })).ids).toEqual([
        "hld_4",
        "hld_3",
        "hld_1",
      ]);
      expect((await list({ status: "revoked" })).ids).toEqual(["hld_2"]);
      for (const one of [
        { agentId: "agent-2" },
        { sessionId: "s-2" },
        { tool: "t" },
        { agents: ["agent-2"] },
      ])
        expect((await list(one)).ids).toEqual(["hld_4"]);
      expect((await list({ namespaces: ["n"] })).ids).toEqual(["hld_4"]);
      const bad = await store().heldCalls.heldCalls(org, ANY, { limit: 1, after: "x" });
      expect(bad).toBe("bad_cursor");
    });

    it("reads unresolved calls of an agent oldest first, from any place on", async () => {
      const org = randomUUID();
      for (let n = 1; n <= 3; n += 1) await hold(org, named(n));
      await hold(org, { ...named(4), agentId: "agent-2" });
      const agent = { org, agentId: "agent-1" };
      const all = await store().heldCalls.unresolved({ agent, after: null, limit: 10 });
      expect(all.map(({ id }) => id)).toEqual(["hld_1", "hld_2", "hld_3"]);
      const rest = await store().heldCalls.unresolved({ agent, after: all[0] ?? null, limit: 1 });
      expect(rest.map(({ id }) => id)).toEqual(["hld_2"]);
      const ofAll = await store().heldCalls.unresolved({ agent: null, after: null, limit: 1_000 });
      expect(ofAll.filter((one) => one.org === org)).toHaveLength(4);
    });
  });
}
