import { randomUUID } from "node:crypto";
import { WITHDRAWN_DIGEST } from "@svc/contract/withdrawn-digest";
import { describe, expect, it } from "vitest";
import { entry, killSwitch } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const MINUTE_MS = 60_000;
const AT = Date.parse("2026-03-01T12:00:00.000Z");
const at = (offsetMs: number): string => new Date(AT + offsetMs).toISOString();

function decision(org: string, known: Readonly<Record<string, unknown>> = {}): string {
  const names = { agent_id: "a", session_id: "s", namespace: "default", tool: "t" };
  return JSON.stringify({
    v: 1,
    kind: "decision",
    time: at(0),
    org,
    kill_switch_id: null,
    ...names,
    ...known,
  });
}

/** What a settlement leaves as it is. */
const KEPT = { idempotencyKey: "kept", grant: "kept" } as const;

export function recordedCallContract(subject: ContractSubject): void {
  const calls = () => subject.store().recordedCalls;

  async function commit(rows: readonly string[]): Promise<number> {
    const [first] = await subject.store().ledger.commit(rows.map((row) => entry(row)));
    if (first?.kind !== "committed") throw new Error("the rows were not committed");
    return first.position.seq;
  }

  const evidenceOf = async (org: string, seq: number, marginMs = 0) =>
    calls().evidence({ org, position: { logId: subject.store().logId, seq }, marginMs });

  describe("RecordedCallStore", () => {
    // proves EXP-02, EXP-08
    it("shows a decision to its own organization, and no other row", async () => {
      const org = randomUUID();
      const row = decision(org);
      const seq = await commit([
        row,
        JSON.stringify({ v: 1, kind: "key", time: at(0), org }),
        '{"no":"row"}',
      ]);
      expect(await evidenceOf(org, seq)).toEqual({ row, switches: [], withdrawn: false, repeated: null });
      expect(await evidenceOf(randomUUID(), seq)).toBeNull();
      for (const other of [seq + 1, seq + 2, seq + 3]) expect(await evidenceOf(org, other)).toBeNull();
    });

    // proves EXP-02
    it("finds the switches that name the call and were active around its time", async () => {
      const org = randomUUID();
      const { killSwitches } = subject.store();
      const put = async (id: string, target: object, [from, to]: readonly [number, number | null]) => {
        const record = killSwitch(id, { ...target, activated_at: at(from) });
        await killSwitches.activateKillSwitch({ org, record, auditRow: `{"on":"${id}"}` });
        if (to === null) return;
        const ending = { endedAt: at(to), endedBy: "operator", reason: "over", auditRow: `{"off":"${id}"}` };
        await killSwitches.endKillSwitch({ org, id, ...ending });
      };
      const agent = { scope: "agent", target_id: "a" };
      await put("early", agent, [-9 * MINUTE_MS, -2 * MINUTE_MS]);
      await put("near", agent, [-2 * MINUTE_MS, -1_000]);
      await put("then", agent, [-500, null]);
      await put("other", { scope: "agent", target_id: "b" }, [-MINUTE_MS, null]);
      await put("tool", { scope: "tool", target_id: "t" }, [MINUTE_MS, null]);
      await put("wide", { scope: "global", target_id: null, account_wide: true }, [-MINUTE_MS, null]);
      const seq = await commit([decision(org), decision(org, { kill_switch_id: "early" })]);
      const ids = async (of: number, marginMs: number) =>
        (await evidenceOf(org, of, marginMs))?.switches.map(({ kill_switch_id }) => kill_switch_id);
      expect(await ids(seq, 0)).toEqual(["then", "wide"]);
      expect(await ids(seq, 2_000)).toEqual(["near", "then", "wide"]);
      expect(await ids(seq + 1, 0)).toEqual(["early", "then", "wide"]);
    });

    // proves EXP-08
    it("says whether a decision was withdrawn", async () => {
      const org = randomUUID();
      const seq = await commit([decision(org), decision(org)]);
      const { ledger, logId } = subject.store();
      const settled = { org, status: "not_executed", charges: [] } as const;
      for (const [place, digest] of [WITHDRAWN_DIGEST, "sha256:reported"].entries())
        await ledger.settle({
          ...settled,
          ...KEPT,
          decision: { logId, seq: seq + place },
          digest,
          row: '{"o":1}',
        });
      expect((await evidenceOf(org, seq))?.withdrawn).toBe(true);
      expect((await evidenceOf(org, seq + 1))?.withdrawn).toBe(false);
    });

    // proves REP-12
    it("reads pages of rows by number, cut by bytes, whatever is in them", async () => {
      const rows = Array.from({ length: 7 }, (_, n) =>
        decision(randomUUID(), { n, text: "\u00e9".repeat(n) }),
      );
      const large = JSON.stringify({ text: "x".repeat(1_500_000) });
      const seq = await commit([...rows, large, "{}"]);
      const { logId } = subject.store();
      const end = seq + rows.length + 2;
      const seen: string[] = [];
      let pages = 0;
      for (let next: number | null = seq; next !== null; pages += 1) {
        const page = await calls().page({ logId, from: next, end });
        expect(page.from).toBe(next);
        let from = 0;
        for (const length of page.lengths) {
          seen.push(Buffer.from(page.bytes.subarray(from, from + length)).toString("utf8"));
          from += length;
        }
        next = page.next;
      }
      expect([seen, pages]).toEqual([[...rows, large, "{}"], 3]);
      const size = (await calls().ends()).find((log) => log.logId === logId)?.size;
      expect(size).toBe(end);
      expect((await calls().page({ logId, from: seq + 2, end: seq + 3 })).lengths).toHaveLength(1);
      expect((await calls().page({ logId: "none", from: 0, end: 2 })).lengths).toEqual(new Uint32Array(2));
    });

    // proves REP-12
    it("finds the first row of a time by bisection, and steps over rows without one", async () => {
      const org = randomUUID();
      const times = [0, 1, 1, 5, 9, 9].map((minutes) => decision(org, { time: at(minutes * MINUTE_MS) }));
      const seq = await commit([...times.slice(0, 3), "{}", ...times.slice(3)]);
      const range = { logId: subject.store().logId, from: seq, end: seq + 7 };
      const first = async (minutes: number) => (await calls().firstAt(range, at(minutes * MINUTE_MS))) - seq;
      expect([await first(-1), await first(0), await first(1), await first(6), await first(10)]).toEqual([
        0, 0, 1, 5, 7,
      ]);
      const later = await first(2);
      expect([3, 4]).toContain(later);
    });
  });
}
