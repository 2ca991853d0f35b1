import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  ATTEMPTS_KEPT_MS,
  type CourseChange,
  DEAD_KEPT,
  type DeliveryAttempt,
  type DeliveryCourse,
  type DeliveryStore,
  SUCCESSES_KEPT,
  type WaitingDelivery,
} from "../ports/delivery-store.ts";
import type { ContractSubject } from "./contract-subject.ts";

const NOW_MS = Date.UTC(2026, 10, 28);

const COURSE: DeliveryCourse = {
  positions: new Map([
    ["gw_a", 7],
    ["gw.b", 0],
  ]),
  failures: 2,
  failingSinceMs: NOW_MS - 1,
  probeAtMs: null,
  lastSuccessAtMs: null,
  lastFailureAtMs: NOW_MS,
  rowsLost: 3,
};

const ROW = { row: { logId: "gw_a", seq: 6 } };

function waitingOf(id: string, nextAtMs: number | null): WaitingDelivery {
  const event = { eventId: `evt_${id}`, type: "policy.decision" } as const;
  return { id, ...event, ...ROW, attempts: 1, nextAtMs, eventAtMs: NOW_MS };
}

function attemptOf(deliveryId: string, changes: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  const event = { eventId: `evt_${deliveryId}`, type: "policy.decision" } as const;
  const outcome = { status: 200, fault: null, answer: "ok" };
  return { deliveryId, ...event, ...ROW, atMs: NOW_MS, latencyMs: 12, ...outcome, ...changes };
}

export function deliveryContract(subject: ContractSubject): void {
  const store = (): DeliveryStore => subject.store().deliveries;
  const begun = async (): Promise<string> => {
    const endpointId = randomUUID();
    await store().begin(endpointId, COURSE);
    return endpointId;
  };
  const changeOf = (endpointId: string, changes: Partial<CourseChange> = {}): CourseChange => {
    const nothing = { attempts: [], waiting: [], settled: [] };
    return { endpointId, version: 1, course: COURSE, nowMs: NOW_MS, ...nothing, ...changes };
  };
  const listed = async (endpointId: string, failed: boolean | null = null, limit = 10) => {
    const page = await store().attempts(endpointId, { failed, sinceMs: 0 }, { limit, after: null });
    return page === "bad_cursor" ? expect.unreachable("a first page has no cursor") : page;
  };

  describe("DeliveryStore", () => {
    it("begins a course once", async () => {
      const endpointId = await begun();
      await store().begin(endpointId, { ...COURSE, rowsLost: 9 });
      expect(await store().course(endpointId)).toEqual({ version: 1, course: COURSE, dueAtMs: null });
      expect(await store().course(randomUUID())).toBeNull();
    });

    it("changes a course with what its attempts came to, and says what is due next", async () => {
      const endpointId = await begun();
      const course = { ...COURSE, positions: new Map([["gw_a", 9]]), probeAtMs: NOW_MS + 60_000 };
      const waiting = [waitingOf("dlv_1", NOW_MS + 5), waitingOf("dlv_2", NOW_MS), waitingOf("dlv_3", null)];
      const changed = await store().change(changeOf(endpointId, { course, waiting }));
      expect(changed).toEqual({ kind: "changed", version: 2, dueAtMs: NOW_MS });
      expect(await store().course(endpointId)).toEqual({ version: 2, course, dueAtMs: NOW_MS });
      expect(await store().due(endpointId, NOW_MS - 1, 10)).toEqual([]);
      expect(await store().due(endpointId, NOW_MS + 5, 10)).toEqual([waiting[1], waiting[0]]);
      expect(await store().due(endpointId, NOW_MS + 5, 1)).toEqual([waiting[1]]);
      expect(await store().counts(endpointId)).toEqual({ waiting: 2, dead: 1, oldestAtMs: NOW_MS });
      const again = { version: 2, waiting: [waitingOf("dlv_1", null)], settled: ["dlv_2"] };
      const settled = await store().change(changeOf(endpointId, again));
      expect(settled).toEqual({ kind: "changed", version: 3, dueAtMs: null });
      expect(await store().counts(endpointId)).toEqual({ waiting: 0, dead: 2, oldestAtMs: null });
      expect((await store().deadCounts()).get(endpointId)).toBe(2);
      expect((await store().deadCounts()).has(await begun())).toBe(false);
    });

    it("lets one of two change the course that both have read, and writes nothing of the other", async () => {
      const endpointId = await begun();
      const changes = ["dlv_1", "dlv_2"].map((id) =>
        changeOf(endpointId, { waiting: [waitingOf(id, NOW_MS)], attempts: [attemptOf(id)] }),
      );
      const kinds = await Promise.all(changes.map(async (change) => (await store().change(change)).kind));
      expect(kinds.toSorted()).toEqual(["changed", "superseded"]);
      expect(await store().counts(endpointId)).toEqual({ waiting: 1, dead: 0, oldestAtMs: NOW_MS });
      expect((await listed(endpointId)).items).toHaveLength(1);
    });

    it("lists attempts, newest first, by what they came to and by time", async () => {
      const endpointId = await begun();
      const failed = attemptOf("dlv_2", { status: null, fault: "no answer", atMs: NOW_MS + 1, answer: "" });
      const attempts = [attemptOf("dlv_1"), failed, attemptOf("dlv_3", { atMs: NOW_MS + 2 })];
      await store().change(changeOf(endpointId, { attempts }));
      expect((await listed(endpointId)).items).toEqual(attempts.toReversed());
      expect((await listed(endpointId, true)).items).toEqual([failed]);
      expect((await listed(endpointId, false)).items).toHaveLength(2);
      const late = await store().attempts(
        endpointId,
        { failed: null, sinceMs: NOW_MS + 2 },
        { limit: 10, after: null },
      );
      expect(late).toEqual({ items: [attempts[2]], next: null });
      const { next } = await listed(endpointId, null, 2);
      const rest = await store().attempts(
        endpointId,
        { failed: null, sinceMs: 0 },
        { limit: 2, after: next },
      );
      expect(rest).toEqual({ items: [attempts[0]], next: null });
    });

    it("keeps the attempts of a week, and of those that went through the newest", async () => {
      const endpointId = await begun();
      const oldMs = NOW_MS - ATTEMPTS_KEPT_MS - 1;
      const old = [attemptOf("dlv_old", { fault: "no answer", atMs: oldMs })];
      await store().change(changeOf(endpointId, { attempts: old }));
      const many = Array.from({ length: SUCCESSES_KEPT + 5 }, (_, n) => attemptOf(`dlv_${String(n)}`));
      const failed = attemptOf("dlv_failed", { fault: "no answer" });
      await store().change(changeOf(endpointId, { version: 2, attempts: [failed, ...many] }));
      const { items } = await listed(endpointId, null, 2_000);
      expect(items.map(({ deliveryId }) => deliveryId)).toEqual([
        ...many
          .slice(5)
          .toReversed()
          .map(({ deliveryId }) => deliveryId),
        "dlv_failed",
      ]);
    });

    // proves HOOK-25
    it("keeps the newest dead deliveries for a week, and all that wait", async () => {
      const endpointId = await begun();
      const other = await begun();
      await store().change(changeOf(other, { waiting: [waitingOf("dlv_other", null)] }));
      const waiting = [
        waitingOf("dlv_wait", NOW_MS),
        waitingOf("dlv_again", null),
        waitingOf("dlv_eldest", null),
      ];
      await store().change(changeOf(endpointId, { waiting }));
      await store().queue(endpointId, [waitingOf("dlv_again", NOW_MS + 1)]);
      const deadOf = async (id: string) => (await store().counts(id)).dead;
      const atMs = NOW_MS + ATTEMPTS_KEPT_MS;
      await store().change(
        changeOf(endpointId, { version: 3, nowMs: atMs, attempts: [attemptOf("dlv_wait")] }),
      );
      expect([await deadOf(endpointId), await deadOf(other)]).toEqual([1, 1]);
      const many = Array.from({ length: DEAD_KEPT }, (_, n) => waitingOf(`dlv_n${String(n)}`, null));
      await store().change(changeOf(endpointId, { version: 4, nowMs: atMs, waiting: many }));
      expect(await deadOf(endpointId)).toBe(DEAD_KEPT);
      expect(await store().find("dlv_eldest")).toBeNull();
      const late = { version: 5, nowMs: atMs + 1, waiting: [waitingOf("dlv_again", null)] };
      await store().change(changeOf(endpointId, late));
      expect([await deadOf(endpointId), await deadOf(other)]).toEqual([DEAD_KEPT, 0]);
      expect(await store().find("dlv_again")).not.toBeNull();
      expect(await store().due(endpointId, NOW_MS, 10)).toEqual([waitingOf("dlv_wait", NOW_MS)]);
    });

    it("lets deliveries wait again, and says so by the version of the course", async () => {
      const endpointId = await begun();
      const dead = [waitingOf("dlv_1", null), { ...waitingOf("dlv_2", null), eventAtMs: NOW_MS + 9 }];
      await store().change(changeOf(endpointId, { waiting: dead, attempts: [attemptOf(endpointId)] }));
      const range = { sinceMs: NOW_MS, untilMs: NOW_MS + 9, nowMs: NOW_MS + 50 };
      expect(await store().queueDead(endpointId, range)).toBe(1);
      expect(await store().due(endpointId, NOW_MS + 50, 10)).toEqual([waitingOf("dlv_1", NOW_MS + 50)]);
      await store().queue(endpointId, [waitingOf(`again_${endpointId}`, NOW_MS)]);
      await store().revive(endpointId);
      const revived = { ...COURSE, failures: 0, failingSinceMs: null, probeAtMs: null };
      expect(await store().course(endpointId)).toEqual({ version: 5, course: revived, dueAtMs: NOW_MS });
      expect((await store().versions()).get(endpointId)).toBe(5);
      const event = { endpointId, ...ROW, type: "policy.decision" };
      expect(await store().find(`again_${endpointId}`)).toMatchObject(event);
      expect(await store().find(endpointId)).toMatchObject({ ...event, eventId: `evt_${endpointId}` });
      expect(await store().find("dlv_unknown")).toBeNull();
    });

    it("lists deliveries that wait, and dead ones, by the time of their events", async () => {
      const endpointId = await begun();
      const waiting = [waitingOf("dlv_1", NOW_MS), waitingOf("dlv_2", null), waitingOf("dlv_3", null)];
      await store().change(changeOf(endpointId, { waiting }));
      const page = { limit: 1, after: null };
      const listedIds = async (isDead: boolean, sinceMs = 0) => {
        const found = await store().waiting(endpointId, { isDead, sinceMs }, page);
        return found === "bad_cursor" ? found : [found.items.map(({ id }) => id), found.next !== null];
      };
      expect(await listedIds(false)).toEqual([["dlv_1"], false]);
      expect(await listedIds(true)).toEqual([["dlv_2"], true]);
      expect(await listedIds(true, NOW_MS + 1)).toEqual([[], false]);
    });

    it("forgets an endpoint that was removed", async () => {
      const endpointId = await begun();
      const change = changeOf(endpointId, { waiting: [waitingOf("d", 1)], attempts: [attemptOf("d")] });
      await store().change(change);
      await store().remove(endpointId);
      expect(await store().course(endpointId)).toBeNull();
      expect(await store().counts(endpointId)).toEqual({ waiting: 0, dead: 0, oldestAtMs: null });
      expect((await listed(endpointId)).items).toEqual([]);
      expect((await store().change({ ...change, version: 2 })).kind).toBe("superseded");
    });
  });
}
