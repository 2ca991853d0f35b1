import type { PolicyAssignmentRecord } from "@svc/contract/policy-record";
import type { AssignmentStore } from "@svc/store/ports/assignment-store";
import type { ControlChange } from "@svc/store/ports/control-change";
import type { PolicyStore, StoredPolicy } from "@svc/store/ports/policy-store";
import { type FakeDatabase, ofOrg, pageOf } from "./fake-database.ts";

export function fakePolicyStore(database: FakeDatabase): PolicyStore {
  return {
    createPolicy: (change) => database.transact("createPolicy", () => create(database, change)),
    appendPolicyVersion: (change) => database.transact("appendPolicyVersion", () => append(database, change)),
    latestPolicy: (org, id) =>
      database.transact("latestPolicy", () => versions(database, org, id).at(-1) ?? null),
    policyVersion: (org, id, version) =>
      database.transact("policyVersion", () => versions(database, org, id)[version - 1] ?? null),
    policies: (org, page) =>
      database.transact("policies", () => {
        const ids = new Set(ofOrg(org, database.policies).map(({ record }) => record.id));
        return pageOf(
          [...ids].sort().flatMap((id) => versions(database, org, id).slice(-1)),
          page,
        );
      }),
    policyVersions: (org, id, page) =>
      database.transact("policyVersions", () => pageOf(versions(database, org, id).toReversed(), page)),
  };
}

export function fakeAssignmentStore(database: FakeDatabase): AssignmentStore {
  return {
    assignPolicy: (change) => database.transact("assignPolicy", () => assign(database, change)),
    unassignPolicy: (change) =>
      database.transact("unassignPolicy", () => {
        const record = findAssignment(database, change.org, change.id);
        if (record === null) return { kind: "not_found" };
        return { kind: "unassigned", record, revision: database.write(change, [unbind(database, record)]) };
      }),
    assignment: (org, id) => database.transact("assignment", () => findAssignment(database, org, id)),
    assignments: (org, page) =>
      database.transact("assignments", () => pageOf(ofOrg(org, database.assignments.values()), page)),
  };
}

type Creating = Parameters<PolicyStore["createPolicy"]>[0];
type Appending = Parameters<PolicyStore["appendPolicyVersion"]>[0];
type Assigning = Parameters<AssignmentStore["assignPolicy"]>[0];

function create(database: FakeDatabase, change: Creating): Awaited<ReturnType<PolicyStore["createPolicy"]>> {
  const { org, auditRow, policy, binding } = change;
  if (versions(database, org, policy.record.id).length > 0) return { kind: "id_taken" };
  const firsts = ofOrg(org, database.policies).filter(({ record }) => record.version === 1);
  if (firsts.length >= database.policyLimit) return { kind: "too_many" };
  const existing = binding === null ? null : bindingOf(database, org, binding.record);
  if (existing !== null) return { kind: "already_bound", existing };
  const revision = database.write({ org, auditRow }, [add(database, org, policy)]);
  if (binding === null) return { kind: "created", revision };
  const { record, auditRow: bindingRow } = binding;
  return {
    kind: "created",
    revision: database.write({ org, auditRow: bindingRow }, [bind(database, org, record)]),
  };
}

function append(
  database: FakeDatabase,
  change: Appending,
): Awaited<ReturnType<PolicyStore["appendPolicyVersion"]>> {
  const { org, policy, boundAgent } = change;
  const { id, version } = policy.record;
  const latest = versions(database, org, id).length;
  if (latest === 0) return { kind: "not_found" };
  if (version !== latest + 1) return { kind: "version_moved", latest };
  if (boundAgent !== null) {
    const existing = bindingOf(database, org, { agent_id: boundAgent, namespace_id: null });
    if (existing?.policy_id !== id) return { kind: "not_bound", existing };
  }
  return { kind: "appended", revision: database.write(change, [add(database, org, policy)]) };
}

function assign(
  database: FakeDatabase,
  change: Assigning,
): Awaited<ReturnType<AssignmentStore["assignPolicy"]>> {
  const { org, record } = change;
  if (versions(database, org, record.policy_id).length === 0) return { kind: "policy_not_found" };
  const existing = bindingOf(database, org, record);
  if (existing?.policy_id === record.policy_id) return { kind: "existing", record: existing };
  if (existing !== null) return { kind: "already_bound", existing };
  return { kind: "assigned", revision: database.write(change, [bind(database, org, record)]) };
}

function versions(database: FakeDatabase, org: string, id: string): StoredPolicy[] {
  return ofOrg(org, database.policies).filter(({ record }) => record.id === id);
}

function add(database: FakeDatabase, org: string, policy: StoredPolicy): ControlChange {
  database.policies.push({ org, entity: policy });
  const { id: policyId, version, enabled } = policy.record;
  return { kind: "policy", policyId, version, enabled, source: policy.source };
}

function bind(database: FakeDatabase, org: string, record: PolicyAssignmentRecord): ControlChange {
  database.assignments.set(record.id, { org, entity: record });
  return { kind: "assignment", record, removed: false };
}

function unbind(database: FakeDatabase, record: PolicyAssignmentRecord): ControlChange {
  database.assignments.delete(record.id);
  return { kind: "assignment", record, removed: true };
}

function bindingOf(
  database: FakeDatabase,
  org: string,
  { agent_id, namespace_id }: Pick<PolicyAssignmentRecord, "agent_id" | "namespace_id">,
): PolicyAssignmentRecord | null {
  const bound = ofOrg(org, database.assignments.values());
  return bound.find((other) => other.agent_id === agent_id && other.namespace_id === namespace_id) ?? null;
}

function findAssignment(database: FakeDatabase, org: string, id: string): PolicyAssignmentRecord | null {
  const owned = database.assignments.get(id);
  return owned?.org === org ? owned.entity : null;
}
