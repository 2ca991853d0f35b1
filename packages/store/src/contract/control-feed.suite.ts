import { describe, expect, it, onTestFinished } from "vitest";
import type { ControlChange, ControlSnapshot } from "../ports/control-change.ts";
import type { ControlFeedStore } from "../ports/control-feed-store.ts";
import { apiKey, assignment, killSwitch, policy } from "../testing/records.ts";

type OrgChange = ControlSnapshot["changes"][number];

/** A control feed that holds nothing yet. */
export interface ControlFeedSubject {
  readonly feed: ControlFeedStore;
  /** Commits the change that the next event is to announce. */
  readonly commit: (change: OrgChange) => Promise<void>;
  readonly close: () => Promise<void>;
}

const OVER = { status: "inactive", ended_at: "t", ended_by: "x", end_reason: null } as const;

const CHANGES: readonly ControlChange[] = [
  policyChange(1),
  { kind: "assignment", record: assignment("as-1", "p", { agent: "agent-1" }), removed: false },
  policyChange(2),
  { kind: "kill_switch", record: killSwitch("on") },
  { kind: "kill_switch", record: killSwitch("off", { target_id: "agent-2" }) },
  { kind: "assignment", record: assignment("as-2", "p", { agent: "agent-2" }), removed: false },
  { kind: "kill_switch", record: killSwitch("off", { target_id: "agent-2", ...OVER }) },
  { kind: "assignment", record: assignment("as-2", "p", { agent: "agent-2" }), removed: true },
  { kind: "key", key: apiKey("kept") },
  { kind: "key", key: apiKey("lost") },
  {
    kind: "key",
    key: apiKey("lost", { revoked_at: "2026-01-02T03:04:06.000Z", revoked_by: "x", secrets: [] }),
  },
  agentChange("gone", false),
  agentChange("gone", true),
  agentChange("kept", false),
];

/** What is left of them. */
const SUM = [2, 1, 3, 8, 13];

/** The promises of the port, for every implementation. */
export function controlFeedContract(newSubject: () => Promise<ControlFeedSubject>): void {
  async function committed(): Promise<ControlFeedStore> {
    const { feed, commit, close } = await newSubject();
    onTestFinished(close);
    expect(await feed.snapshot()).toEqual({ revision: 0, changes: [] });
    for (const change of CHANGES) await commit({ org: "org", change });
    return feed;
  }

  describe("ControlFeedStore", () => {
    it("S4: a snapshot is the sum of the events up to its revision", async () => {
      const { revision, changes } = await (await committed()).snapshot();
      expect(revision).toBe(CHANGES.length);
      expect(changes.map(withoutJson)).toEqual(SUM.map((at) => ({ org: "org", change: CHANGES[at] })));
    });

    it("S8: a snapshot holds everything, however many pages it takes", async () => {
      const { feed, commit, close } = await newSubject();
      onTestFinished(close);
      const ids = Array.from({ length: 101 }, (_, at) => `p-${String(at)}`);
      for (const id of ids) {
        const { source } = policy(id, 1);
        const change = { kind: "policy", policyId: id, version: 1, enabled: true, source } as const;
        await commit({ org: id === "p-7" ? "org-b" : "org-a", change });
      }
      const { changes } = await feed.snapshot();
      const held = changes.map(({ change }) => (change.kind === "policy" ? change.policyId : ""));
      expect(held.toSorted()).toEqual(ids.toSorted());
    });

    it("S1: gives events in order, one for each change, up to a limit", async () => {
      const feed = await committed();
      const events = CHANGES.map((change, at) => ({ revision: at + 1, org: "org", change }));
      expect(await feed.eventsAfter(0, 100)).toEqual(events);
      expect(await feed.eventsAfter(1, 4)).toEqual(events.slice(1, 5));
      expect(await feed.eventsAfter(CHANGES.length, 4)).toEqual([]);
    });
  });
}

function agentChange(id: string, removed: boolean): ControlChange {
  return { kind: "agent", record: { id, namespace: "payments", quarantine: null }, removed };
}

function policyChange(version: number): ControlChange {
  return { kind: "policy", policyId: "p", version, enabled: true, source: policy("p", version).source };
}

/** A snapshot may carry the JSON of a document beside its source. */
function withoutJson({ org, change }: OrgChange): OrgChange {
  if (change.kind !== "policy") return { org, change };
  const { json: _json, ...rest } = change;
  return { org, change: rest };
}
