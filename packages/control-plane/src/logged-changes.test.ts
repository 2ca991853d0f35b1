import { expect, it } from "vitest";
import { assignPolicy } from "./assignments/assign-policy.ts";
import { unassignPolicy } from "./assignments/unassign-policy.ts";
import { createKey } from "./keys/create-key.ts";
import { revokeKey } from "./keys/revoke-key.ts";
import { rotateKey } from "./keys/rotate-key.ts";
import { activateKillSwitch } from "./kill-switches/activate-kill-switch.ts";
import { deactivateKillSwitch } from "./kill-switches/deactivate-kill-switch.ts";
import { createNamespace } from "./namespaces/create-namespace.ts";
import { putRogueDetection } from "./namespaces/put-rogue-detection.ts";
import { removeNamespace } from "./namespaces/remove-namespace.ts";
import { updateNamespace } from "./namespaces/update-namespace.ts";
import { createPolicy } from "./policies/create-policy.ts";
import { rollbackPolicy } from "./policies/rollback-policy.ts";
import { updatePolicy } from "./policies/update-policy.ts";
import { activation } from "./testing/activation.ts";
import { yaml } from "./testing/documents.ts";
import { keyRequest } from "./testing/key-request.ts";
import { requestedRogueDetection } from "./testing/requested-rogue-detection.ts";
import { ANYBODY, OPERATOR, testPorts } from "./testing/test-ports.ts";

// proves OPS-20
it("each change of control state is one line of the log", async () => {
  const ports = testPorts();
  await createPolicy(ports, OPERATOR, yaml());
  await updatePolicy(ports, OPERATOR, { id: "refunds", text: yaml(), expectedVersion: null });
  await rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 });
  await assignPolicy(ports, OPERATOR, { policy_id: "refunds", agent_id: null, namespace_id: "prod" });
  await unassignPolicy(ports, OPERATOR, "asg_1");
  const created = { id: "stage", name: "Stage", description: null };
  await createNamespace(ports, OPERATOR, created);
  await updateNamespace(ports, OPERATOR, { id: "stage", update: { name: "S" } });
  await putRogueDetection(ports, OPERATOR, { id: "stage", settings: requestedRogueDetection() });
  await removeNamespace(ports, OPERATOR, "stage");
  await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 1 }));
  await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 3 }));
  await ports.followed.catchUp();
  await ports.time.advance(3_000);
  await activateKillSwitch(ports, OPERATOR, activation());
  const id = [...ports.database.killSwitches.keys()].at(-1) ?? "";
  const end = { reason: "over", deactivated_by: "me", trigger_source: "api" } as const;
  await deactivateKillSwitch(ports, OPERATOR, { kill_switch_id: id, ...end });
  const key = await createKey(ports, ANYBODY, keyRequest());
  const key_id = key.kind === "ok" ? key.value.id : "";
  await rotateKey(ports, ANYBODY, { id: key_id, overlap_seconds: 0 });
  await revokeKey(ports, ANYBODY, key_id);
  expect(ports.informed).toEqual([
    "policy created",
    "policy assigned",
    "policy updated",
    "policy rolled back",
    "policy assigned",
    "policy unassigned",
    "namespace created",
    "namespace updated",
    "rogue detection changed",
    "namespace removed",
    "kill switch activated",
    "kill switch extended",
    "kill switch expired",
    "kill switch activated",
    "kill switch deactivated",
    "key created",
    "key rotated",
    "key revoked",
  ]);
  expect(ports.logged).toEqual([]);
});
