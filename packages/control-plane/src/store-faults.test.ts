import { ANY_POLICY } from "@svc/contract/policy-list";
import { describe, expect, it } from "vitest";
import { assignPolicy } from "./assignments/assign-policy.ts";
import { getAssignment } from "./assignments/get-assignment.ts";
import { listAssignments } from "./assignments/list-assignments.ts";
import { unassignPolicy } from "./assignments/unassign-policy.ts";
import { activateKillSwitch } from "./kill-switches/activate-kill-switch.ts";
import { deactivateKillSwitch } from "./kill-switches/deactivate-kill-switch.ts";
import { getKillSwitch } from "./kill-switches/get-kill-switch.ts";
import { listKillSwitches } from "./kill-switches/list-kill-switches.ts";
import { createNamespace } from "./namespaces/create-namespace.ts";
import { getNamespace } from "./namespaces/get-namespace.ts";
import { getRogueDetection } from "./namespaces/get-rogue-detection.ts";
import { listNamespaces } from "./namespaces/list-namespaces.ts";
import { putRogueDetection } from "./namespaces/put-rogue-detection.ts";
import { removeNamespace } from "./namespaces/remove-namespace.ts";
import { updateNamespace } from "./namespaces/update-namespace.ts";
import { createPolicy } from "./policies/create-policy.ts";
import { getPolicy } from "./policies/get-policy.ts";
import { getPolicyVersion } from "./policies/get-policy-version.ts";
import { labelPolicy } from "./policies/label-policy.ts";
import { listPolicies } from "./policies/list-policies.ts";
import { listPolicyVersions } from "./policies/list-policy-versions.ts";
import { movePolicy } from "./policies/move-policy.ts";
import { rollbackPolicy } from "./policies/rollback-policy.ts";
import { updatePolicy } from "./policies/update-policy.ts";
import { activation } from "./testing/activation.ts";
import { yaml } from "./testing/documents.ts";
import { requestedRogueDetection } from "./testing/requested-rogue-detection.ts";
import { OPERATOR, type TestPorts, testPorts } from "./testing/test-ports.ts";

const page = { limit: 10, after: null };
const ending = {
  kill_switch_id: "ks_2",
  reason: "over",
  deactivated_by: "bob",
  trigger_source: "api",
} as const;

type Operation = (ports: TestPorts) => Promise<{ readonly kind: string }>;

/**
 * Every operation, such that it succeeds after `prepare`, and every call it makes to the store on its way.
 */
const operations: readonly (readonly [name: string, calls: readonly string[], run: Operation])[] = [
  [
    "activate",
    ["activateKillSwitch"],
    (p) => activateKillSwitch(p, OPERATOR, activation({ target_id: "a-2" })),
  ],
  [
    "extend",
    ["activateKillSwitch", "extendKillSwitch"],
    (p) => activateKillSwitch(p, OPERATOR, activation({ target_id: "a-3" })),
  ],
  ["dry run", ["recordDryRun"], (p) => activateKillSwitch(p, OPERATOR, activation({ dry_run: true }))],
  ["deactivate", ["killSwitch", "endKillSwitch"], (p) => deactivateKillSwitch(p, OPERATOR, ending)],
  ["get switch", ["killSwitch"], (p) => getKillSwitch(p, OPERATOR, "ks_2")],
  ["list switches", ["killSwitches"], (p) => listKillSwitches(p, OPERATOR, { status: "all", page })],
  ["create policy", ["createPolicy"], (p) => createPolicy(p, OPERATOR, yaml({ id: "p2", agent_id: "a-2" }))],
  [
    "update policy",
    ["latestPolicy", "appendPolicyVersion"],
    (p) => updatePolicy(p, OPERATOR, { id: "refunds", text: yaml(), expectedVersion: 1 }),
  ],
  [
    "roll back",
    ["latestPolicy", "policyVersion", "appendPolicyVersion"],
    (p) => rollbackPolicy(p, OPERATOR, { id: "refunds", target_version: 1 }),
  ],
  ["disable", ["movePolicy"], (p) => movePolicy(p, OPERATOR, { id: "refunds", to: "disabled", why: null })],
  [
    "label",
    ["labelPolicy"],
    (p) => labelPolicy(p, OPERATOR, { id: "refunds", labels: { team: "x" }, why: null }),
  ],
  ["get policy", ["latestPolicy"], (p) => getPolicy(p, OPERATOR, "refunds")],
  ["get version", ["policyVersion"], (p) => getPolicyVersion(p, OPERATOR, { id: "refunds", version: 1 })],
  ["list policies", ["policies"], (p) => listPolicies(p, OPERATOR, { filter: ANY_POLICY, page })],
  ["list versions", ["policyVersions"], (p) => listPolicyVersions(p, OPERATOR, { id: "refunds", page })],
  [
    "assign",
    ["assignPolicy"],
    (p) => assignPolicy(p, OPERATOR, { policy_id: "refunds", agent_id: null, namespace_id: "prod" }),
  ],
  ["unassign", ["assignment", "unassignPolicy"], (p) => unassignPolicy(p, OPERATOR, "asg_1")],
  ["get assignment", ["assignment"], (p) => getAssignment(p, OPERATOR, "asg_1")],
  [
    "list assignments",
    ["assignments"],
    (p) => listAssignments(p, OPERATOR, { page, policyId: null, agentId: null, namespaceId: null }),
  ],
  [
    "create namespace",
    ["createNamespace"],
    (p) => createNamespace(p, OPERATOR, { id: "prod", name: "prod", description: null }),
  ],
  ["get namespace", ["namespace"], (p) => getNamespace(p, OPERATOR, "stage")],
  ["list namespaces", ["namespaces"], (p) => listNamespaces(p, OPERATOR, page)],
  [
    "update namespace",
    ["updateNamespace"],
    (p) => updateNamespace(p, OPERATOR, { id: "stage", update: { name: "S" } }),
  ],
  ["remove namespace", ["removeNamespace"], (p) => removeNamespace(p, OPERATOR, "stage")],
  ["get rogue detection", ["rogueDetection"], (p) => getRogueDetection(p, OPERATOR, "stage")],
  [
    "put rogue detection",
    ["rogueDetection", "putRogueDetection"],
    (p) => putRogueDetection(p, OPERATOR, { id: "stage", settings: requestedRogueDetection() }),
  ],
];

async function prepare(): Promise<TestPorts> {
  const ports = testPorts();
  await createPolicy(ports, OPERATOR, yaml());
  await activateKillSwitch(ports, OPERATOR, activation());
  await activateKillSwitch(ports, OPERATOR, activation({ target_id: "a-3", ttl_seconds: 60 }));
  await createNamespace(ports, OPERATOR, { id: "stage", name: "stage", description: null });
  return ports;
}

describe.each(operations)("%s", (_name, calls, run) => {
  it("makes just these calls to the store, and succeeds", async () => {
    const ports = await prepare();
    const made: string[] = [];
    ports.database.before = async (call) => {
      if (call !== "recordPropagation") made.push(call);
    };
    expect((await run(ports)).kind).not.toBe("problem");
    expect(made).toEqual(calls);
  });

  it.each(calls)(
    "answers unavailable when %s fails, changes and announces nothing, and logs the cause",
    async (failing) => {
      const ports = await prepare();
      const before = ports.database.auditRows.length;
      const announced = ports.propagation.announced.length;
      const logged = ports.logged.length;
      ports.database.before = async (call) => {
        if (call === failing) throw new Error("secret of the disk");
      };
      const outcome = await run(ports);
      expect(outcome).toMatchObject({ kind: "problem", problem: { code: "unavailable" } });
      expect(JSON.stringify(outcome)).not.toContain("secret of the disk");
      expect(ports.database.auditRows).toHaveLength(before);
      expect(ports.propagation.announced).toHaveLength(announced);
      expect(ports.logged).toHaveLength(logged + 1);
    },
  );
});
