import { randomUUID } from "node:crypto";
import type { ReplayRecord } from "@svc/contract/replay";
import { describe, expect, it } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { StoredReplay } from "../ports/replay-store.ts";
import { replayRecord } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

function replay(id: string, known: Partial<ReplayRecord> = {}, owner = "gw"): StoredReplay {
  return { record: replayRecord(id, known), owner, updatedAtMs: 5 };
}

export function replayContract(subject: ContractSubject): void {
  const store = () => subject.store().replays;

  describe("ReplayStore", () => {
    // proves REP-07
    it("keeps a replay for its organization, and lists them newest first", async () => {
      const org = randomUUID();
      for (const id of ["a", "b", "c"]) await store().createReplay(org, replay(id), "");
      expect(await store().replay(org, "b")).toEqual(replay("b"));
      expect(await store().replay(randomUUID(), "b")).toBeNull();
      const first = await store().replays(org, { limit: 2, after: null });
      if (first === "bad_cursor") throw new Error("no page");
      expect(first.items.map(({ record }) => record.id)).toEqual(["c", "b"]);
      expect(await store().replays(org, { limit: 2, after: first.next })).toMatchObject({
        items: [{ record: { id: "a" } }],
        next: null,
      });
      expect(await store().replays(org, { limit: 2, after: "x" })).toBe("bad_cursor");
    });

    // proves REP-06, REP-07
    it("writes a replay until it has ended, and never after", async () => {
      const org = randomUUID();
      await store().createReplay(org, replay("a"), "");
      await store().removeReplay(org, "a");
      expect(
        await store().updateReplay(org, replay("a", { progress: { rows_read: 4, rows_total: 9 } })),
      ).toBe(true);
      expect(await store().updateReplay(org, replay("a", { status: "cancelled" }))).toBe(true);
      expect(await store().updateReplay(org, replay("a", { status: "completed" }))).toBe(false);
      expect((await store().replay(org, "a"))?.record.status).toBe("cancelled");
      await store().removeReplay(org, "a");
      expect(await store().replay(org, "a")).toBeNull();
      expect(await store().updateReplay(org, replay("a"))).toBe(false);
    });

    // proves REP-08
    it("finds what a process left behind with its work, and counts how often that is taken up", async () => {
      const org = randomUUID();
      const owner = randomUUID();
      await store().createReplay(org, replay("a", {}, owner), "the work");
      await store().createReplay(org, replay("b", { status: "completed" }, owner), "");
      await store().createReplay(org, replay("c"), "");
      const left = { org, replay: replay("a", {}, owner), work: "the work" };
      expect(await store().takeUpReplays(owner)).toEqual([{ ...left, starts: 2 }]);
      const progress = { rows_read: 4, rows_total: 9 };
      await store().updateReplay(org, replay("a", { progress }, owner));
      expect(await store().takeUpReplays(owner)).toMatchObject([{ work: "the work", starts: 3 }]);
      await store().updateReplay(org, replay("a", { status: "failed" }, owner));
      expect(await store().takeUpReplays(owner)).toEqual([]);
    });

    // proves REP-09
    it("refuses more active replays than the limit, and forgets the oldest that has ended", async () => {
      const place = await subject.newPlace();
      const opened = await place.open({ limits: { ...DEFAULT_STORE_LIMITS, replays: 3, activeReplays: 2 } });
      const create = async (id: string, status: ReplayRecord["status"]) =>
        opened.replays.createReplay("o", replay(id, { status }), "");
      for (const id of ["a", "b", "c"]) await create(id, "completed");
      expect(await create("d", "running")).toEqual({ kind: "created" });
      expect(await create("e", "queued")).toEqual({ kind: "created" });
      expect(await create("f", "queued")).toEqual({ kind: "too_many", active: 2 });
      const page = await opened.replays.replays("o", { limit: 9, after: null });
      if (page === "bad_cursor") throw new Error("no page");
      expect(page.items.map(({ record }) => record.id)).toEqual(["e", "d", "c"]);
      await opened.close();
      await place.remove();
    });
  });
}
