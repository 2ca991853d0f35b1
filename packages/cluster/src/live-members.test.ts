import type { ClusterMember } from "@svc/store/ports/cluster";
import { expect, it } from "vitest";
import { LiveMembers } from "./live-members.ts";

function member(id: string, beat: number, epoch = 1): ClusterMember {
  return {
    id,
    beat,
    epoch,
    host: "host",
    version: "1",
    role: "gateway",
    startedAt: "2026-01-01T00:00:00.000Z",
    applied: 0,
    controlAgeMs: null,
    decisionsPerSecond: 0,
    lastSeenMs: 0,
    joinedRevision: 0,
    joinedMs: 0,
  };
}

it("a member lives until its sign of life has not changed for ten seconds of this process", () => {
  let nowMs = 0;
  const living = new LiveMembers({ nowMs: () => nowMs });
  const ids = (...members: ClusterMember[]) => living.of(members).map(({ id }) => id);
  expect(ids(member("a", 1), member("b", 7))).toEqual(["a", "b"]);
  nowMs = 9_999;
  expect(ids(member("a", 1), member("b", 8))).toEqual(["a", "b"]);
  nowMs = 10_000;
  expect(ids(member("a", 1), member("b", 8))).toEqual(["b"]);
  // It took its membership again, or a crash of the database took signs of life back.
  expect(ids(member("a", 1, 2), member("b", 7))).toEqual(["a", "b"]);
  nowMs = 19_999;
  expect(ids(member("b", 7))).toEqual(["b"]);
  // What the database does not hold is forgotten, so that it counts as new when it comes back.
  nowMs = 20_500;
  expect(ids(member("a", 1, 2), member("b", 9))).toEqual(["a", "b"]);
});

it("a member is forgettable when its sign of life has not changed for ten minutes of this process", () => {
  let nowMs = 0;
  const living = new LiveMembers({ nowMs: () => nowMs });
  const look = (...members: ClusterMember[]) => {
    living.of(members);
    return living.forgettable().map(({ id, beat }) => [id, beat]);
  };
  expect(look(member("a", 1), member("b", 7))).toEqual([]);
  nowMs = 599_999;
  expect(look(member("a", 1), member("b", 8))).toEqual([]);
  nowMs = 600_000;
  expect(look(member("a", 1), member("b", 8))).toEqual([["a", 1]]);
  expect(look(member("b", 8))).toEqual([]);
});
