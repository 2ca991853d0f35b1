import { describe, expect, it } from "vitest";
import { createPolicy } from "../policies/create-policy.ts";
import { yaml } from "../testing/documents.ts";
import { OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { assignPolicy } from "./assign-policy.ts";
import { getAssignment } from "./get-assignment.ts";
import { listAssignments } from "./list-assignments.ts";
import { unassignPolicy } from "./unassign-policy.ts";

/** `refunds` bound to agent a-1 by its document as asg_1, `spare` bound to nobody. */
async function withPolicies() {
  const ports = testPorts();
  await createPolicy(ports, OPERATOR, yaml());
  await createPolicy(ports, OPERATOR, yaml({ id: "spare", agent_id: undefined }));
  return ports;
}

const ANY = { policyId: null, agentId: null, namespaceId: null };

const toAgent = (policy_id: string, agent_id: string) => ({ policy_id, agent_id, namespace_id: null });
const toNamespace = (policy_id: string, namespace_id: string) => ({
  policy_id,
  agent_id: null,
  namespace_id,
});

describe("assigning a policy", () => {
  it.each([toAgent("spare", "a-2"), toNamespace("spare", "prod")])(
    "binds, audits and announces: %j",
    async (request) => {
      const ports = await withPolicies();
      const outcome = await assignPolicy(ports, OPERATOR, request);
      const record = { id: "asg_2", ...request, created_by: "key_1" };
      expect(outcome).toMatchObject({
        kind: "assigned",
        record,
        acknowledgements: { gateways: [{ id: "gw-1" }] },
      });
      expect(ports.database.auditRows[3]).toMatchObject({
        kind: "policy",
        action: "assigned",
        policy_id: "spare",
        agent_id: request.agent_id,
        namespace: request.namespace_id,
        policy_version: null,
        document_digest: null,
      });
      expect(ports.propagation.announced).toEqual([2, 3, 4]);
    },
  );

  it("once more answers the binding that is there", async () => {
    const ports = await withPolicies();
    const outcome = await assignPolicy(ports, OPERATOR, toAgent("refunds", "a-1"));
    expect(outcome).toMatchObject({ kind: "existing", record: { id: "asg_1" } });
    expect(ports.database.auditRows).toHaveLength(3);
  });

  it.each([
    [
      "an agent that has a policy",
      toAgent("spare", "a-1"),
      /Agent a-1 is bound to policy refunds by assignment asg_1/,
    ],
    ["a namespace that has one", toNamespace("spare", "prod"), /Namespace prod is bound to policy refunds/],
  ])("to %s is refused naming it", async (_name, request, detail) => {
    const ports = await withPolicies();
    await assignPolicy(ports, OPERATOR, toNamespace("refunds", "prod"));
    const outcome = await assignPolicy(ports, OPERATOR, request);
    expect(outcome).toMatchObject({
      problem: { code: "agent_already_bound", detail: expect.stringMatching(detail) },
    });
    expect(ports.database.assignments.size).toBe(2);
  });

  it.each([
    ["that does not exist", OPERATOR, "none"],
    ["K3: of another organization", STRANGER, "spare"],
  ])("does not find a policy %s", async (_name, principal, policy_id) => {
    const outcome = await assignPolicy(await withPolicies(), principal, toAgent(policy_id, "a-9"));
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "not_found" } });
  });
});

describe("removing an assignment", () => {
  it("unbinds, audits and announces, and frees the agent", async () => {
    const ports = await withPolicies();
    const outcome = await unassignPolicy(ports, OPERATOR, "asg_1");
    expect(outcome).toMatchObject({ kind: "unassigned", record: { id: "asg_1", agent_id: "a-1" } });
    expect(ports.database.auditRows[3]).toMatchObject({
      action: "unassigned",
      policy_id: "refunds",
      agent_id: "a-1",
    });
    expect(ports.database.events.at(-1)).toMatchObject({ change: { kind: "assignment", removed: true } });
    expect(await assignPolicy(ports, OPERATOR, toAgent("spare", "a-1"))).toMatchObject({ kind: "assigned" });
  });

  it.each([
    ["an id that does not exist", OPERATOR, "asg_9"],
    ["K3: one of another organization", STRANGER, "asg_1"],
  ])("does not find %s", async (_name, principal, id) => {
    const ports = await withPolicies();
    expect(await unassignPolicy(ports, principal, id)).toMatchObject({
      kind: "problem",
      problem: { code: "not_found" },
    });
    expect(ports.database.assignments.size).toBe(1);
  });
});

describe("reading an assignment", () => {
  it("finds one's own", async () => {
    const ports = await withPolicies();
    expect(await getAssignment(ports, OPERATOR, "asg_1")).toMatchObject({
      kind: "ok",
      value: { id: "asg_1", policy_id: "refunds", agent_id: "a-1", namespace_id: null },
    });
  });

  it.each([
    ["an id that does not exist", OPERATOR, "asg_9"],
    ["K3: one of another organization", STRANGER, "asg_1"],
  ])("does not find %s", async (_name, principal, id) => {
    expect(await getAssignment(await withPolicies(), principal, id)).toMatchObject({
      problem: { code: "not_found", detail: `This organization has no policy assignment ${id}.` },
    });
  });
});

describe("listing assignments", () => {
  it("pages through one organization's own", async () => {
    const ports = await withPolicies();
    await assignPolicy(ports, OPERATOR, toNamespace("spare", "prod"));
    const first = await listAssignments(ports, OPERATOR, { ...ANY, page: { limit: 1, after: null } });
    expect(first).toMatchObject({ kind: "ok", value: { items: [{ id: "asg_1" }] } });
    const after = first.kind === "ok" ? first.value.next : null;
    const second = await listAssignments(ports, OPERATOR, { ...ANY, page: { limit: 1, after } });
    expect(second).toMatchObject({ value: { items: [{ id: "asg_2" }], next: null } });
    expect(await listAssignments(ports, STRANGER, { ...ANY, page: { limit: 1, after: null } })).toMatchObject(
      {
        value: { items: [] },
      },
    );
    expect(await listAssignments(ports, OPERATOR, { ...ANY, page: { limit: 1, after: "x" } })).toMatchObject({
      problem: { code: "invalid_request" },
    });
  });
});
