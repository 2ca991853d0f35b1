import { rowText } from "@svc/audit-log/row-text";
import type { AuditRow } from "@svc/contract/audit-row";
import { describe, expect, it } from "vitest";
import type { EventRow, WantedRows } from "../ports/event-rows.ts";
import { entry } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const COMMON = { v: 1, time: "2026-01-02T03:04:05.678Z", org: "o", principal: "p" };

type Decided = Partial<Record<"org" | "agent_id" | "namespace" | "decision", string>>;

function decision(about: Decided, args = {}): object {
  const names = { agent_id: "a", namespace: "n", decision: "allow", approval_id: null };
  return { ...COMMON, kind: "decision", ...names, ...about, args };
}

const about = { agent_id: "a", session_id: null, namespace: "n" };

/** Rows whose texts contain what is looked for at other places, too. */
const ROWS: readonly object[] = [
  decision({}),
  decision({ agent_id: 'b","approval_id":"' }),
  decision({ agent_id: "b", decision: "deny" }),
  decision({ namespace: "other", decision: "pause" }),
  decision({ org: "other" }),
  decision({ agent_id: "c" }, { decision: "deny", org: "o", namespace: "n" }),
  { ...COMMON, kind: "outcome", decision_id: "x.1", cost_usd: null },
  { ...COMMON, kind: "anomaly", ...about, evidence: { first: "x", approval_id: "y" }, anomaly: "call_burst" },
  { ...COMMON, kind: "anomaly", ...about, evidence: {}, agent_id: null },
  { ...COMMON, kind: "severity", ...about, severity: "WARNING" },
  { ...COMMON, kind: "kill_switch", action: "activated", agent_id: "a", approval_id: "z" },
  { ...COMMON, kind: "approval", action: "denied", approval_id: "y" },
];

const every = { org: "o", agents: null, namespaces: null, decisions: null };

const WANTED: readonly (readonly [what: string, wanted: WantedRows])[] = [
  ["everything", { kinds: null, decisions: null }],
  ["nothing", { kinds: [], decisions: [] }],
  ["kinds", { kinds: ["anomaly", "kill_switch", "approval"], decisions: [] }],
  ["outcomes", { kinds: ["outcome", "severity"], decisions: [] }],
  ["decisions of an organization", { kinds: ["decision"], decisions: [every] }],
  [
    "decisions of agents",
    { kinds: ["decision"], decisions: [{ ...every, agents: ["a", 'b","approval_id":"'] }] },
  ],
  [
    "some decisions",
    { kinds: ["decision", "anomaly"], decisions: [{ ...every, decisions: ["deny", "pause"] }] },
  ],
  ["decisions of a namespace", { kinds: ["decision"], decisions: [{ ...every, namespaces: ["other"] }] }],
  ["no decision of the kind", { kinds: ["decision"], decisions: [{ ...every, decisions: [] }] }],
  ["no agent of the name", { kinds: null, decisions: [{ ...every, agents: [] }] }],
  [
    "decisions that fit one of several",
    {
      kinds: ["decision"],
      decisions: [
        { ...every, agents: ["b"], namespaces: ["n"], decisions: ["deny"] },
        { ...every, org: "other", agents: ["a"] },
      ],
    },
  ],
  [
    "decisions of more agents than are compared",
    {
      kinds: ["decision"],
      decisions: [{ ...every, agents: Array.from({ length: 3_000 }, (_, n) => String(n)) }],
    },
  ],
];

/** What the reader must not leave out. */
function isWanted({ kinds, decisions }: WantedRows, row: EventRow): boolean {
  if (kinds !== null && !kinds.includes(row.kind)) return false;
  if (row.kind !== "decision" || decisions === null) return true;
  const has = (list: readonly string[] | null, value: string | null) => list?.includes(value ?? "") ?? true;
  return decisions.some(
    (each) =>
      each.org === row.org &&
      has(each.agents, row.agentId) &&
      has(each.namespaces, row.namespace) &&
      has(each.decisions, row.decision),
  );
}

export function eventContract(subject: ContractSubject): void {
  describe("AuditStore, of rows that somebody wants", () => {
    // proves HOOK-30
    it("leaves out rows that nobody wants, and none that somebody wants", async () => {
      const place = await subject.newPlace();
      const store = await place.open();
      const { audit, ledger, logId } = store;
      await ledger.commit(ROWS.map((row) => entry(rowText(row as AuditRow))));
      const from = new Map([[logId, 0]]);
      const query = { from, limit: 100, maxBytes: 1e6 };
      const { events: all } = await audit.eventRows(query);
      expect(all).toHaveLength(ROWS.length);
      for (const [what, wanted] of WANTED) {
        const { events, next, unreadable } = await audit.eventRows({ ...query, wanted });
        const seqs = events.map(({ seq }) => seq);
        const expected = all.filter((row) => isWanted(wanted, row));
        const lacks = expected.filter(({ seq }) => !seqs.includes(seq));
        expect([what, lacks, next.get(logId), unreadable]).toEqual([what, [], ROWS.length, 0]);
      }
      const counts = new Map<string, number>();
      for (const [what, wanted] of WANTED)
        counts.set(what, (await audit.eventRows({ ...query, wanted })).events.length);
      expect(Object.fromEntries(counts)).toEqual({
        everything: 12,
        nothing: 0,
        kinds: 4,
        outcomes: 2,
        "decisions of an organization": 5,
        "decisions of agents": 3,
        "some decisions": 5,
        "decisions of a namespace": 1,
        "no decision of the kind": 0,
        "no agent of the name": 6,
        "decisions that fit one of several": 2,
        "decisions of more agents than are compared": 6,
      });
      await store.close();
      await place.remove();
    });

    it("reads up to a limit and so many bytes, at least one, and says what is gone", async () => {
      const place = await subject.newPlace();
      const store = await place.open();
      const { audit, ledger, logId } = store;
      await ledger.commit(
        Array.from({ length: 40 }, (_, n) =>
          entry(rowText(decision({ agent_id: n % 4 === 0 ? "a" : "b" }) as AuditRow)),
        ),
      );
      const wanted: WantedRows = { kinds: ["decision"], decisions: [{ ...every, agents: ["a"] }] };
      const read = async (start: number, limit: number, maxBytes: number) => {
        const page = await audit.eventRows({ from: new Map([[logId, start]]), limit, maxBytes, wanted });
        return [page.events.map(({ seq }) => seq), page.next.get(logId), page.unreadable];
      };
      expect(await read(0, 2, 1e6)).toEqual([[0, 4], 5, 0]);
      expect(await read(1, 2, 1)).toEqual([[4], 5, 0]);
      expect(await read(33, 10, 1e6)).toEqual([[36], 40, 0]);
      expect(await read(37, 10, 1e6)).toEqual([[], 40, 0]);
      await place.tamper("DELETE FROM audit_rows WHERE seq IN (2, 36)");
      expect(await read(0, 2, 1e6)).toEqual([[0, 4], 5, 1]);
      expect(await read(33, 10, 1e6)).toEqual([[], 40, 1]);
      await store.close();
      await place.remove();
    });
  });
}
