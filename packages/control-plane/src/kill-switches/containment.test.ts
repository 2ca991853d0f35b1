import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ClusterMember, ReachedMember } from "@svc/store/ports/cluster";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containmentOf, type Reach } from "./containment.ts";

const REVISION = 7;
const LEASE_MS = 1_500;
const COMMIT_MS = Date.UTC(2026, 10, 22, 3);
const at = (ms: number): string => new Date(COMMIT_MS + ms).toISOString();

const FACTS = { host: "host", version: "1", role: "gateway" } as const;

const reachedBy = (id: string, acknowledgedMs: number | null, epoch = 1): ReachedMember => ({
  ...FACTS,
  id,
  epoch,
  acknowledgedMs: acknowledgedMs === null ? null : COMMIT_MS + acknowledgedMs,
});

function memberOf(id: string, changes: Partial<ClusterMember> = {}): ClusterMember {
  const times = { controlAgeMs: 0, lastSeenMs: COMMIT_MS, joinedRevision: 0, joinedMs: COMMIT_MS - 9_000 };
  const startedAt = "2026-11-22T00:00:00.000Z";
  return {
    ...FACTS,
    ...times,
    id,
    startedAt,
    epoch: 1,
    applied: 0,
    beat: 1,
    decisionsPerSecond: 0,
    ...changes,
  };
}

interface Seen {
  readonly nowMs: number;
  /** When the issuer first saw the revision, by its own clock. */
  readonly seenMs: number | null;
  readonly reached: readonly ReachedMember[];
  readonly members: readonly ClusterMember[];
}

function judged({ nowMs, seenMs, reached, members }: Seen, status: KillSwitchRecord["status"] = "active") {
  const reach: Reach = {
    nowMs: COMMIT_MS + nowMs,
    reached,
    members,
    clock: "database",
    issuer: "control-1",
    leaseLeftMs: () => (seenMs === null ? LEASE_MS : LEASE_MS - (nowMs - seenMs)),
  };
  const record = { status } as KillSwitchRecord;
  return containmentOf(reach, { record, revision: REVISION, auditRow: null });
}

// proves KILL-40
describe("what a certificate claims", () => {
  it("enforcing since the acknowledgement, where every gateway has acknowledged", () => {
    const reached = [
      reachedBy("a", 3),
      reachedBy("b", 12),
      { ...reachedBy("c", 99), role: "control" as const },
    ];
    const members = [memberOf("a", { applied: 7 }), memberOf("b", { applied: 9 })];
    const found = judged({ nowMs: 200, seenMs: 0, reached, members });
    expect(found).toMatchObject({
      containment: "contained",
      contained_since: at(12),
      contained_at_latest: null,
    });
    expect(found.gateways).toMatchObject([
      { id: "a", state: "enforcing", acknowledged_at: at(3), contained_since: at(3) },
      { id: "b", state: "enforcing", acknowledged_at: at(12), contained_since: at(12) },
    ]);
  });

  const silent = {
    reached: [reachedBy("a", 3), reachedBy("b", null)],
    members: [memberOf("a"), memberOf("b")],
  };

  it("not yet contained while the lease of a silent gateway may last, with its end", () => {
    const found = judged({ nowMs: 200, seenMs: 5, ...silent });
    expect(found).toMatchObject({
      containment: "not_yet_contained",
      contained_since: null,
      contained_at_latest: at(5 + LEASE_MS),
    });
    expect(found.gateways[1]).toMatchObject({
      id: "b",
      state: "not_yet_contained",
      contained_at_latest: at(1_505),
    });
  });

  it("unverified and denying after the lease has ended", () => {
    const found = judged({ nowMs: 4_000, seenMs: 5, ...silent });
    expect(found).toMatchObject({ containment: "contained", contained_since: at(3 + LEASE_MS) });
    expect(found.gateways[1]).toMatchObject({ id: "b", state: "denying", contained_since: at(1_503) });
  });

  it("no end of a lease because a clock was set forward: the issuer has to have waited", () => {
    expect(judged({ nowMs: 86_400_000, seenMs: 86_399_900, ...silent }).containment).toBe(
      "not_yet_contained",
    );
    expect(judged({ nowMs: 86_400_000, seenMs: null, ...silent }).containment).toBe("not_yet_contained");
  });

  it("contained from its start, for a gateway that joined after the commit", () => {
    const late = memberOf("b", { joinedRevision: 7, joinedMs: COMMIT_MS + 60_000 });
    const found = judged({ nowMs: 60_010, seenMs: 0, reached: [reachedBy("a", 3)], members: [late] });
    expect(found).toMatchObject({ containment: "contained", contained_since: at(3) });
    expect(found.gateways).toMatchObject([
      { id: "a", state: "enforcing", last_seen_at: null },
      { id: "b", state: "joined_later", acknowledged_at: null, contained_since: at(60_000) },
    ]);
  });

  it("not the same for a gateway that joined while the switch was being committed", () => {
    const racing = memberOf("b", { joinedRevision: 6, joinedMs: COMMIT_MS - 1 });
    const seen = { reached: [reachedBy("a", 3)], seenMs: 0 };
    const found = judged({ ...seen, nowMs: 10, members: [racing] });
    expect(found.gateways[1]).toMatchObject({ id: "b", state: "not_yet_contained" });
    const applied = judged({ ...seen, nowMs: 10, members: [{ ...racing, applied: 7 }] });
    expect(applied.gateways[1]).toMatchObject({
      state: "enforcing",
      acknowledged_at: null,
      contained_since: at(10),
    });
  });

  it("not that a process that joined again under its epoch had loaded the switch from its start", () => {
    const again = memberOf("b", { joinedRevision: 8, joinedMs: COMMIT_MS + 100 });
    const reached = [reachedBy("a", 3), reachedBy("b", null)];
    expect(judged({ nowMs: 200, seenMs: 0, reached, members: [again] }).gateways[1]).toMatchObject({
      state: "not_yet_contained",
    });
  });

  it("one process that acknowledged, and then connected to the database again, once", () => {
    const again = memberOf("a", { epoch: 2, applied: 7 });
    const reached = [reachedBy("a", 3)];
    expect(judged({ nowMs: 9_000, seenMs: 0, reached, members: [again] })).toMatchObject({
      contained_since: at(3),
      gateways: [{ id: "a", state: "enforcing", acknowledged_at: at(3), last_seen_at: at(0) }],
    });
    const behind = judged({ nowMs: 9_000, seenMs: 0, reached, members: [{ ...again, applied: 6 }] });
    expect(behind.gateways.map(({ state }) => state)).toEqual(["enforcing", "denying"]);
    const successor = { ...again, joinedMs: COMMIT_MS + 4 };
    expect(judged({ nowMs: 9_000, seenMs: 0, reached, members: [successor] }).gateways).toHaveLength(2);
  });

  it("two processes of one id apart", () => {
    const successor = memberOf("a", { epoch: 2, joinedRevision: 8, joinedMs: COMMIT_MS + 5_000 });
    const found = judged({ nowMs: 5_100, seenMs: 0, reached: [reachedBy("a", null)], members: [successor] });
    expect(found.gateways).toMatchObject([
      { id: "a", state: "denying", last_seen_at: null },
      { id: "a", state: "joined_later" },
    ]);
  });

  it("nothing when the list of who had to acknowledge is missing, until every lease has ended", () => {
    const members = [memberOf("a", { applied: 9 })];
    expect(judged({ nowMs: 100, seenMs: 50, reached: [], members }).containment).toBe("not_yet_contained");
    expect(judged({ nowMs: 9_000, seenMs: 50, reached: [], members }).containment).toBe("contained");
  });

  it("nothing about a switch that has ended, but what was acknowledged", () => {
    const found = judged({ nowMs: 9_000, seenMs: 0, ...silent }, "inactive");
    expect(found).toMatchObject({ containment: "ended", contained_since: null, contained_at_latest: null });
    expect(found.gateways).toMatchObject([
      { state: "ended", acknowledged_at: at(3), contained_since: null },
      { state: "ended", acknowledged_at: null, contained_since: null },
    ]);
  });

  const gateway = fc.record({
    /** When it wrote that it enforces the switch. */
    acknowledgedMs: fc.option(fc.integer({ min: 1, max: 6_000 })),
    isListed: fc.boolean(),
    isMember: fc.boolean(),
  });

  it("never more than what holds whatever the gateways did meanwhile", () => {
    fc.assert(
      fc.property(
        fc.array(gateway, { maxLength: 5 }),
        fc.integer({ min: 0, max: 8_000 }),
        fc.option(fc.integer({ min: 0, max: 8_000 })),
        (gateways, nowMs, seen) => {
          const seenMs = seen === null || seen > nowMs ? null : seen;
          const known = gateways.map(({ acknowledgedMs, ...rest }, index) => ({
            ...rest,
            id: `g${String(index)}`,
            heardMs: acknowledgedMs !== null && acknowledgedMs <= nowMs ? acknowledgedMs : null,
            // At worst it allows calls until it acknowledges, or until the last possible end of its lease.
            openMs: Math.min(acknowledgedMs ?? LEASE_MS, LEASE_MS),
          }));
          const reached = known.flatMap(({ id, heardMs, isListed }) =>
            isListed ? [reachedBy(id, heardMs)] : [],
          );
          const members = known.flatMap(({ id, heardMs, isMember }) =>
            isMember ? [memberOf(id, { applied: heardMs === null ? 6 : 7 })] : [],
          );
          const found = judged({ nowMs, seenMs, reached, members });
          for (const each of found.gateways) {
            if (each.contained_since === null) continue;
            const { openMs } = known.find(({ id }) => id === each.id) ?? { openMs: Number.NaN };
            expect(Date.parse(each.contained_since) - COMMIT_MS).toBeGreaterThanOrEqual(openMs);
            expect(Date.parse(each.contained_since) - COMMIT_MS).toBeLessThanOrEqual(nowMs);
            if (found.containment === "contained")
              expect(Date.parse(found.contained_since ?? "")).toBeGreaterThanOrEqual(
                Date.parse(each.contained_since),
              );
          }
          const open = found.gateways.filter(({ contained_since }) => contained_since === null);
          expect(open.length > 0 && found.containment === "contained").toBe(false);
        },
      ),
      { numRuns: runs(2_000, 20_000) },
    );
  });
});
