import { scopesOf } from "@svc/contract/role";
import { describe, expect, it } from "vitest";
import { assignPolicy } from "./assignments/assign-policy.ts";
import { unassignPolicy } from "./assignments/unassign-policy.ts";
import { createKey } from "./keys/create-key.ts";
import { revokeKey } from "./keys/revoke-key.ts";
import { rotateKey } from "./keys/rotate-key.ts";
import { activateKillSwitch } from "./kill-switches/activate-kill-switch.ts";
import { deactivateKillSwitch } from "./kill-switches/deactivate-kill-switch.ts";
import { createPolicy } from "./policies/create-policy.ts";
import { movePolicy } from "./policies/move-policy.ts";
import { updatePolicy } from "./policies/update-policy.ts";
import { activation } from "./testing/activation.ts";
import { yaml } from "./testing/documents.ts";
import { keyRequest } from "./testing/key-request.ts";
import { ANYBODY, OPERATOR, type TestPorts, testPorts } from "./testing/test-ports.ts";

const ADMIN = { ...ANYBODY, scopes: scopesOf({ role: "admin", isBootstrap: true, isBound: false }) };

const id = "refunds";

async function keyOf(ports: TestPorts): Promise<string> {
  const outcome = await createKey(ports, ADMIN, keyRequest());
  return outcome.kind === "ok" ? outcome.value.id : expect.unreachable("no key was made");
}

/** Each makes what its change needs, and then the change. */
const CHANGES: Readonly<Record<string, (ports: TestPorts, slow: () => void) => Promise<unknown>>> = {
  createPolicy: (ports, slow) => {
    slow();
    return createPolicy(ports, OPERATOR, yaml());
  },
  appendPolicyVersion: async (ports, slow) => {
    await createPolicy(ports, OPERATOR, yaml());
    slow();
    return updatePolicy(ports, OPERATOR, { id, text: yaml({ name: "Next" }), expectedVersion: null });
  },
  movePolicy: async (ports, slow) => {
    await createPolicy(ports, OPERATOR, yaml());
    slow();
    return movePolicy(ports, OPERATOR, { id, to: "disabled", why: null });
  },
  assignPolicy: async (ports, slow) => {
    await createPolicy(ports, OPERATOR, yaml());
    slow();
    return assignPolicy(ports, OPERATOR, { policy_id: id, agent_id: null, namespace_id: "prod" });
  },
  unassignPolicy: async (ports, slow) => {
    await createPolicy(ports, OPERATOR, yaml());
    slow();
    return unassignPolicy(ports, OPERATOR, "asg_1");
  },
  createKey: (ports, slow) => {
    slow();
    return createKey(ports, ADMIN, keyRequest());
  },
  rotateKey: async (ports, slow) => {
    const key = await keyOf(ports);
    slow();
    return rotateKey(ports, ADMIN, { id: key, overlap_seconds: 0 });
  },
  revokeKey: async (ports, slow) => {
    const key = await keyOf(ports);
    slow();
    return revokeKey(ports, ADMIN, key);
  },
};

/** The gateways take 3 ms after the call, and the call takes this long. */
const CALL_MS = 30;

function slowCall(ports: TestPorts, name: string): void {
  ports.database.before = async (call) => {
    if (call === name) await ports.time.advance(CALL_MS);
  };
}

describe("how long a change takes to reach every gateway", () => {
  // proves KILL-42
  it.each(Object.entries(CHANGES))("%s: propagation_ms counts from the start", async (name, change) => {
    const ports = testPorts();
    const outcome = JSON.stringify(await change(ports, () => slowCall(ports, name)));
    expect(outcome).toContain('"propagation_ms":33');
  });

  // proves KILL-42
  it.each(Object.entries(CHANGES))("%s: is null when no gateway acknowledged", async (_name, change) => {
    const ports = testPorts();
    ports.propagation.gateways = [{ id: "gw-1", acknowledged_ms: null }];
    expect(JSON.stringify(await change(ports, () => undefined))).toContain('"propagation_ms":null');
  });

  // proves KILL-42
  it("a deactivation keeps the time of the activation beside its own", async () => {
    const ports = testPorts();
    await activateKillSwitch(ports, OPERATOR, activation());
    slowCall(ports, "endKillSwitch");
    const ending = { kill_switch_id: "ks_1", reason: "fixed", deactivated_by: "bob" };
    expect(
      await deactivateKillSwitch(ports, OPERATOR, { ...ending, trigger_source: "manual" }),
    ).toMatchObject({ answer: { propagation_ms: 3, end_propagation_ms: 33 } });
  });
});
