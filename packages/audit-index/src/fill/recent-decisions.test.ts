import { expect, it } from "vitest";
import { type DecisionFacts, readFacts } from "../read-facts.ts";
import { decisionText } from "../testing/make-row.ts";
import { RecentDecisions } from "./recent-decisions.ts";

const KEPT = 4_000;

function facts(): DecisionFacts {
  const read = readFacts(Buffer.from(decisionText({ rule_id: "r-1" })));
  if (read === null) throw new Error("the row is not readable");
  return read;
}

it("keeps what a report needs of the last decisions, at the time of the index, and no row", () => {
  const recent = new RecentDecisions();
  recent.note({ logId: "gw_a", seq: 7 }, facts(), 42);
  const found = recent.find({ logId: "gw_a", seq: 7 });
  expect(found).toMatchObject({ org: "org-1", at: 42, agent: "agent-1", rule: "r-1", mode: "enforcement" });
  expect(found).not.toHaveProperty("row");
  expect(recent.find({ logId: "gw_b", seq: 7 })).toBeNull();
});

it("finds at least the last 4,000, and forgets a decision after at most twice as many", () => {
  const recent = new RecentDecisions();
  const one = facts();
  const found = (seq: number): boolean => recent.find({ logId: "gw_a", seq }) !== null;
  for (let seq = 0; seq < 3 * KEPT; seq += 1) {
    recent.note({ logId: "gw_a", seq }, one, seq);
    expect(found(seq) && found(Math.max(0, seq - KEPT + 1))).toBe(true);
    if (seq >= 2 * KEPT) expect(found(seq - 2 * KEPT)).toBe(false);
  }
});
