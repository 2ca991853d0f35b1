import { describe, expect, it } from "vitest";
import { entry } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const TIME = "2026-01-02T03:04:05.678Z";
const COMMON = { v: 1, time: TIME, org: "o", principal: "p" };

/** Rows of one organization as other systems get them. */
export function forwardedRowsContract(subject: ContractSubject): void {
  describe("forwarded rows", () => {
    // proves INTG-05
    it("are those of one organization in order, in both formats, and count what is broken", async () => {
      const { audit, ledger, logId } = subject.store();
      const first = (await audit.heads()).find((head) => head.logId === logId)?.size ?? 0;
      const rows = [
        { ...COMMON, kind: "kill_switch", action: "activated", scope: "agent", target_id: "a" },
        { ...COMMON, kind: "policy", action: "created", policy_id: "x" },
        { ...COMMON, org: "other", kind: "policy", action: "created", policy_id: "y" },
        { ...COMMON, kind: "policy", time: "never" },
        { ...COMMON, kind: "policy", action: "archived", policy_id: "x" },
      ].map((row) => JSON.stringify(row));
      await ledger.commit([...rows, "{}"].map((row) => entry(row)));
      const query = { from: new Map([[logId, first]]), limit: 10, maxBytes: 1e6, org: "o" } as const;
      const page = await audit.forwardedRows({ ...query, format: "rows" });
      expect(page.rows.map(({ seq, kind, severity }) => [seq - first, kind, severity])).toEqual([
        [0, "kill_switch", 4],
        [1, "policy", 1],
        [4, "policy", 1],
      ]);
      expect([page.unreadable, page.next.get(logId), page.sizes.get(logId)]).toEqual([
        2,
        first + 6,
        first + 6,
      ]);
      const [row] = page.rows;
      const id = `${logId}.${String(first)}`;
      const place = { id, log_id: logId, seq: first, time: TIME, kind: "kill_switch" };
      const stored: unknown = JSON.parse(rows[0] ?? "");
      expect(JSON.parse(row?.line ?? "")).toMatchObject({ ...place, row: stored });
      expect([row?.logId, row?.timeMs]).toEqual([logId, Date.parse(TIME)]);
      const events = await audit.forwardedRows({ ...query, limit: 2, format: "ocsf" });
      expect(events.rows.map(({ line }) => JSON.parse(line) as unknown)).toMatchObject([
        { class_uid: 2004, metadata: { uid: id, version: "1.5.0" } },
        { class_uid: 6003 },
      ]);
      expect(events.next.get(logId)).toBe(first + 2);
    });
  });
}
