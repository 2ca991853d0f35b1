import { randomUUID } from "node:crypto";
import { ANY_POLICY } from "@svc/contract/policy-list";
import { describe, expect, it } from "vitest";
import { killSwitch } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";
import { killSwitchActions } from "./kill-switch-actions.suite.ts";

const ANY_ASSIGNMENT = { policyId: null, agentId: null, namespaceId: null };

export function killSwitchListContract(subject: ContractSubject): void {
  const switches = () => subject.store().killSwitches;
  const { activate, end } = killSwitchActions(subject);

  describe("lists of KillSwitchStore", () => {
    // proves KILL-37
    it("lists the active switch that stops everything first, once, on every size of page", async () => {
      const org = randomUUID();
      const wide = { scope: "agent", target_id: "agent-9", account_wide: true } as const;
      await activate(org, killSwitch("old-wide", wide));
      await end(org, "old-wide");
      await activate(org, killSwitch("a", { target_id: "agent-a" }));
      await activate(org, killSwitch("wide", wide));
      await activate(org, killSwitch("b", { target_id: "agent-b" }));
      const listed = async (status: "active" | "inactive" | "all", limit: number): Promise<string[]> => {
        const ids: string[] = [];
        for (let after: string | null = null; ; ) {
          const page = await switches().killSwitches(org, status, { limit, after });
          if (page === "bad_cursor") throw new Error("the store refused its own cursor");
          ids.push(...page.items.map(({ kill_switch_id }) => kill_switch_id));
          if (page.next === null) return ids;
          after = page.next;
        }
      };
      for (const limit of [1, 2, 3, 10]) {
        expect(await listed("active", limit)).toEqual(["wide", "b", "a"]);
        expect(await listed("all", limit)).toEqual(["wide", "b", "a", "old-wide"]);
        expect(await listed("inactive", limit)).toEqual(["old-wide"]);
      }
    });

    // proves API-05, KILL-16
    it("lists newest first, by status, page by page", async () => {
      const org = randomUUID();
      for (let n = 0; n < 5; n += 1) {
        await activate(org, killSwitch(`ks-${String(n)}`, { target_id: `agent-${String(n)}` }));
      }
      await end(org, "ks-3");
      const ids = async (status: "active" | "inactive" | "all", limit: number): Promise<string[][]> => {
        const pages: string[][] = [];
        for (let after: string | null = null; ; ) {
          const page = await switches().killSwitches(org, status, { limit, after });
          if (page === "bad_cursor") throw new Error("the store refused its own cursor");
          pages.push(page.items.map(({ kill_switch_id }) => kill_switch_id));
          if (page.next === null) return pages;
          after = page.next;
        }
      };
      expect(await ids("all", 2)).toEqual([["ks-4", "ks-3"], ["ks-2", "ks-1"], ["ks-0"]]);
      expect(await ids("active", 4)).toEqual([["ks-4", "ks-2", "ks-1", "ks-0"]]);
      expect(await ids("inactive", 1)).toEqual([["ks-3"]]);
    });

    // proves API-05
    it("refuses cursors that no page of this list gave out", async () => {
      const { policies, assignments } = subject.store();
      const base64 = (text: string): string => Buffer.from(text).toString("base64url");
      const bad = [
        "",
        "x",
        "kill-switch:1",
        ...["kill-switch:", "kill-switch:-1", "kill-switch:1.5"].map(base64),
      ];
      const more = [
        base64("policy:p"),
        `${base64("kill-switch:1")}=`,
        base64("kill-switch:99999999999999999"),
      ];
      for (const after of [...bad, ...more]) {
        expect(await switches().killSwitches("org", "all", { limit: 1, after })).toBe("bad_cursor");
      }
      const foreign = { limit: 1, after: base64("kill-switch:1") };
      expect(await policies.policies("org", ANY_POLICY, foreign)).toBe("bad_cursor");
      expect(await policies.policyVersions("org", "p", foreign)).toBe("bad_cursor");
      expect(await assignments.assignments("org", ANY_ASSIGNMENT, foreign)).toBe("bad_cursor");
    });
  });
}
