import { randomUUID } from "node:crypto";
import type { AlertRecord, AlertStatus } from "@svc/contract/alert";
import { describe, expect, it } from "vitest";
import { type AlertStore, MAX_OPEN_ALERTS } from "../ports/alert-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import type { ContractSubject } from "./contract-subject.ts";

const FIRST = { limit: 10, after: null };

function alert(id: string, changes: Partial<AlertRecord> = {}): AlertRecord {
  return {
    id,
    condition: "agent_severity",
    severity: "critical",
    status: "open",
    subject: "agent-1",
    agent_id: "agent-1",
    summary: "A session is at CRITICAL.",
    details: { sessions: 1 },
    opened_at: "2026-01-02T03:04:05.678Z",
    acknowledged_at: null,
    acknowledged_by: null,
    note: null,
    resolved_at: null,
    ...changes,
  };
}

export function alertContract(subject: ContractSubject): void {
  const store = (): AlertStore => subject.store().alerts;
  const rows = async (org: string): Promise<readonly string[]> => {
    const { audit, logId } = subject.store();
    return (await readChain(audit, logId)).map(rowText).filter((row) => row.includes(org));
  };
  const rowOf = (org: string, action: string) => `{"action":"${action}","kind":"alert","org":"${org}"}`;
  const open = async (org: string, record: AlertRecord): Promise<string> =>
    (await store().open({ org, record, auditRow: rowOf(org, "opened") })).kind;
  const move = async (org: string, before: AlertStatus, record: AlertRecord): Promise<string> =>
    (await store().change({ org, before, record, auditRow: rowOf(org, record.status) })).kind;

  describe("AlertStore", () => {
    // proves ALERT-01
    it("opens one alert of a condition and a subject, however many open it at once", async () => {
      const org = randomUUID();
      const kinds = await Promise.all(
        ["a", "b", "c", "d", "e", "f", "g", "h"].map((id) => open(org, alert(id))),
      );
      expect(kinds.toSorted()).toEqual([...Array(7).fill("known"), "opened"]);
      expect(await rows(org)).toEqual([rowOf(org, "opened")]);
      expect(await open(org, alert("i", { subject: "agent-2" }))).toBe("opened");
      expect(await open(org, alert("j", { condition: "agent_anomaly" }))).toBe("opened");
      expect(await open(randomUUID(), alert("a"))).toBe("opened");
    });

    it("changes an alert from the status that the caller has read, with its row", async () => {
      const org = randomUUID();
      await open(org, alert("a"));
      const acknowledged = alert("a", { status: "acknowledged", acknowledged_by: "key-1" });
      expect(await move(org, "open", acknowledged)).toBe("changed");
      expect(await move(org, "open", alert("a", { status: "resolved" }))).toBe("moved");
      expect(await store().find(org, "a")).toEqual(acknowledged);
      expect(await store().find(randomUUID(), "a")).toBeNull();
      expect(await rows(org)).toEqual([rowOf(org, "opened"), rowOf(org, "acknowledged")]);
    });

    it("opens it again when it is resolved, and lists both by status, newest first", async () => {
      const org = randomUUID();
      await open(org, alert("a"));
      const resolved = alert("a", { status: "resolved", resolved_at: "2026-01-02T04:00:00.000Z" });
      expect(await move(org, "open", resolved)).toBe("changed");
      expect(await open(org, alert("b"))).toBe("opened");
      const own = (await store().unresolved()).filter((one) => one.org === org);
      expect(own).toEqual([{ org, record: alert("b") }]);
      expect(await store().list(org, null, FIRST)).toEqual({ items: [alert("b"), resolved], next: null });
      expect(await store().list(org, "resolved", FIRST)).toEqual({ items: [resolved], next: null });
      const page = await store().list(org, null, { limit: 1, after: null });
      if (page === "bad_cursor") throw new Error("expected a page");
      expect(await store().list(org, null, { limit: 1, after: page.next })).toMatchObject({
        items: [resolved],
      });
    });

    it("refuses more than an organization can have, until one is resolved", async () => {
      const org = randomUUID();
      for (let number = 0; number < MAX_OPEN_ALERTS; number += 1)
        await open(org, alert(`a${String(number)}`, { subject: String(number) }));
      expect(await open(org, alert("more"))).toBe("too_many");
      await move(org, "open", alert("a7", { subject: "7", status: "resolved" }));
      expect(await open(org, alert("more"))).toBe("opened");
    });
  });
}
