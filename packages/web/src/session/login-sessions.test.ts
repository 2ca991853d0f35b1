import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import { describe, expect, it } from "vitest";
import { LoginSessions } from "./login-sessions.ts";

const approver = (org: string, id: string): Principal => ({
  org,
  id,
  role: "approver",
  scopes: new Set(),
  agents: null,
  namespaces: null,
  expires_at: null,
});

function begin(sessions: LoginSessions, org: string, id: string): string {
  return sessions.begin({ principal: approver(org, id), refusal: () => null });
}

describe("logins of approvers", () => {
  it("of one organization do not sign out those of another one", () => {
    const sessions = new LoginSessions({ nowMs: () => 0 });
    const mine = begin(sessions, "org-1", "ada");
    const theirs = Array.from({ length: 2_000 }, (_, n) => begin(sessions, "org-2", `key-${String(n)}`));
    expect(sessions.find(mine).kind).toBe("session");
    expect(sessions.find(theirs[0] ?? "").kind).toBe("ended");
    expect(theirs.filter((secret) => sessions.find(secret).kind === "session")).toHaveLength(999);
  });

  it("of one key give way to its newer ones", () => {
    const sessions = new LoginSessions({ nowMs: () => 0 });
    const all = Array.from({ length: 11 }, () => begin(sessions, "org-1", "ada"));
    expect(all.map((secret) => sessions.find(secret).kind === "session")).toEqual([
      false,
      ...Array.from({ length: 10 }, () => true),
    ]);
  });

  // proves APR-76
  it("stay while it cannot be checked whether the key may act, and end with the key", () => {
    const sessions = new LoginSessions({ nowMs: () => 0 });
    let refusal: Problem | null = problem("unavailable", "the store does not answer");
    const secret = sessions.begin({ principal: approver("org-1", "ada"), refusal: () => refusal });
    expect(sessions.find(secret)).toMatchObject({ kind: "unknown", problem: { status: 503 } });
    refusal = null;
    expect(sessions.find(secret).kind).toBe("session");
    refusal = problem("unauthenticated", "revoked");
    expect(sessions.find(secret).kind).toBe("ended");
    refusal = null;
    expect(sessions.find(secret).kind).toBe("ended");
  });
});
