import { expect, it } from "vitest";
import { assignPolicy } from "./assignments/assign-policy.ts";
import { unassignPolicy } from "./assignments/unassign-policy.ts";
import { activateKillSwitch } from "./kill-switches/activate-kill-switch.ts";
import { deactivateKillSwitch } from "./kill-switches/deactivate-kill-switch.ts";
import { createPolicy } from "./policies/create-policy.ts";
import { rollbackPolicy } from "./policies/rollback-policy.ts";
import { updatePolicy } from "./policies/update-policy.ts";
import { activation } from "./testing/activation.ts";
import { yaml } from "./testing/documents.ts";
import { OPERATOR, testPorts } from "./testing/test-ports.ts";

// proves OPS-20
it("each change of control state is one line of the log", async () => {
  const ports = testPorts();
  await createPolicy(ports, OPERATOR, yaml());
  await updatePolicy(ports, OPERATOR, { id: "refunds", text: yaml(), expectedVersion: null });
  await rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 });
  await assignPolicy(ports, OPERATOR, { policy_id: "refunds", agent_id: null, namespace_id: "prod" });
  await unassignPolicy(ports, OPERATOR, "asg_1");
  await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 1 }));
  await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds: 3 }));
  await ports.followed.catchUp();
  await ports.time.advance(3_000);
  await activateKillSwitch(ports, OPERATOR, activation());
  const id = [...ports.database.killSwitches.keys()].at(-1) ?? "";
  const end = { reason: "over", deactivated_by: "me", trigger_source: "api" } as const;
  await deactivateKillSwitch(ports, OPERATOR, { kill_switch_id: id, ...end });
  expect(ports.informed).toEqual([
    "policy created",
    "policy assigned",
    "policy updated",
    "policy rolled back",
    "policy assigned",
    "policy unassigned",
    "kill switch activated",
    "kill switch extended",
    "kill switch expired",
    "kill switch activated",
    "kill switch deactivated",
  ]);
  expect(ports.logged).toEqual([]);
});
