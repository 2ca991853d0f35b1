import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import { describe, expect, it } from "vitest";
import { PolicyIndex } from "./policy-index.ts";

const assignment = (known: Partial<PolicyAssignmentRecord>): PolicyAssignmentRecord => ({
  id: "asg_1",
  policy_id: "p1",
  agent_id: null,
  namespace_id: null,
  created_at: "2026-01-01T00:00:00.000Z",
  created_by: "test",
  ...known,
});

const disabled = (id: string) => ({ inForce: { kind: "disabled", id, version: 1 }, load: null }) as const;

function indexWith(...assignments: readonly PolicyAssignmentRecord[]): PolicyIndex {
  const index = new PolicyIndex();
  for (const id of ["p1", "p2"]) index.setPolicy("default", id, disabled(id));
  for (const record of assignments) index.setAssignment("default", record, 1);
  return index;
}

describe("PolicyIndex", () => {
  it("prefers the agent's own policy to its namespace's", () => {
    const index = indexWith(
      assignment({ agent_id: "a1", policy_id: "p1" }),
      assignment({ id: "asg_2", namespace_id: "ns", policy_id: "p2" }),
    );
    expect(index.policyFor("default", "a1", "ns")).toMatchObject({ id: "p1" });
    expect(index.policyFor("default", "a2", "ns")).toMatchObject({ id: "p2" });
    expect(index.policyFor("default", "a2", "other")).toBeNull();
  });

  it("E19: knows nothing of other organizations", () => {
    const index = indexWith(assignment({ agent_id: "a1" }));
    expect(index.policyFor("other", "a1", "ns")).toBeNull();
  });

  it("calls a policy that is bound but missing unloadable, so that its agent is denied", () => {
    const index = indexWith(assignment({ agent_id: "a1", policy_id: "gone" }));
    expect(index.policyFor("default", "a1", "ns")).toMatchObject({ kind: "unloadable", id: "gone" });
  });

  it("forgets a binding only when it is the one that was removed", () => {
    const index = indexWith(assignment({ agent_id: "a1" }));
    index.removeAssignment("default", assignment({ id: "asg_0", agent_id: "a1" }), 2);
    expect(index.policyFor("default", "a1", "ns")).not.toBeNull();
    index.removeAssignment("default", assignment({ agent_id: "a1" }), 3);
    expect(index.policyFor("default", "a1", "ns")).toBeNull();
  });

  it("refuses a binding to nothing", () => {
    expect(() => indexWith(assignment({}))).toThrow("neither agent nor namespace");
  });

  it("counts what it knows, and names what cannot be loaded", () => {
    const index = new PolicyIndex();
    const bad = { kind: "unloadable", id: "bad", version: 2, detail: "unknown key" } as const;
    index.setPolicy("default", "off", disabled("off"));
    index.setPolicy("other", "bad", { inForce: bad, load: null });
    expect(index.summary()).toEqual({
      policies: 2,
      loading: 0,
      unloadable: [{ org: "other", policy_id: "bad", detail: "unknown key" }],
    });
  });
});
