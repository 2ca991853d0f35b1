import type { Principal } from "@svc/contract/principal";
import { describe, expect, it } from "vitest";
import { ApproverSessions } from "./approver-sessions.ts";

const approver = (org: string, id: string): Principal => ({
  org,
  id,
  role: "approver",
  scopes: new Set(),
  agents: null,
  namespaces: null,
  expires_at: null,
});

function begin(sessions: ApproverSessions, org: string, id: string): string {
  return sessions.begin({ principal: approver(org, id), refusal: () => null });
}

describe("logins of approvers", () => {
  it("of one organization do not sign out those of another one", () => {
    const sessions = new ApproverSessions({ nowMs: () => 0 });
    const mine = begin(sessions, "org-1", "ada");
    const theirs = Array.from({ length: 2_000 }, (_, n) => begin(sessions, "org-2", `key-${String(n)}`));
    expect(sessions.find(mine)).not.toBeNull();
    expect(sessions.find(theirs[0] ?? "")).toBeNull();
    expect(theirs.filter((secret) => sessions.find(secret) !== null)).toHaveLength(999);
  });

  it("of one key give way to its newer ones", () => {
    const sessions = new ApproverSessions({ nowMs: () => 0 });
    const all = Array.from({ length: 11 }, () => begin(sessions, "org-1", "ada"));
    expect(all.map((secret) => sessions.find(secret) !== null)).toEqual([
      false,
      ...Array.from({ length: 10 }, () => true),
    ]);
  });
});
