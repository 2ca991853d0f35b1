import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { expect, it } from "vitest";
import type { Entry } from "./session-table.ts";
import { nameOf } from "./testing/supervised-world.ts";
import { SupervisionTable } from "./testing/supervision-table.ts";
import { Uncontained } from "./uncontained.ts";

function entryOf(agentId: string, sessionId: string): Entry {
  const heartbeat = { namespace: "default", parentSessionId: null, parentAgentId: null, ended: false };
  const session = new SupervisionTable().beat({ ...nameOf(sessionId), agentId, ...heartbeat, ageMs: 0 });
  const times = {
    heardAtMs: 0,
    answeredAtMs: 0,
    orphanedAtMs: null,
    parentLoss: null,
    parentLookMs: 0,
    dueMs: 0,
    place: -1,
  };
  return { session, settings: DEFAULT_ROGUE_DETECTION, ...times };
}

it("lets agents take turns, and forgets an agent without sessions", () => {
  const uncontained = new Uncontained();
  const [first, second, third] = [entryOf("a", "s-1"), entryOf("a", "s-2"), entryOf("b", "s-1")];
  for (const entry of [first, second, third]) uncontained.add(entry);
  const sessions = () =>
    [...uncontained.agents].map(([, entries]) => [...entries].map(({ session }) => session.sessionId));
  expect(sessions()).toEqual([["s-1", "s-2"], ["s-1"]]);
  const [[agent] = [""]] = uncontained.agents;
  uncontained.noteTurn(agent);
  expect(sessions()).toEqual([["s-1"], ["s-1", "s-2"]]);
  uncontained.delete(first);
  uncontained.delete(third);
  expect(sessions()).toEqual([["s-2"]]);
  uncontained.delete(second);
  uncontained.noteTurn(agent);
  expect(sessions()).toEqual([]);
});
