import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { describe, expect, it } from "vitest";
import { assignPolicy } from "../assignments/assign-policy.ts";
import { activateKillSwitch } from "../kill-switches/activate-kill-switch.ts";
import { createPolicy } from "../policies/create-policy.ts";
import { activation } from "../testing/activation.ts";
import { yaml } from "../testing/documents.ts";
import { requestedRogueDetection } from "../testing/requested-rogue-detection.ts";
import { OPERATOR, STRANGER, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { createNamespace } from "./create-namespace.ts";
import { getNamespace } from "./get-namespace.ts";
import { getRogueDetection } from "./get-rogue-detection.ts";
import { listNamespaces } from "./list-namespaces.ts";
import { putRogueDetection } from "./put-rogue-detection.ts";
import { removeNamespace } from "./remove-namespace.ts";
import { updateNamespace } from "./update-namespace.ts";

const PROD = { id: "prod", name: "Production", description: "live" };
const SECRET = "sk_live_51H8abcdefghijklmnopqrstuv";

async function withProd(): Promise<TestPorts> {
  const ports = testPorts();
  await createNamespace(ports, OPERATOR, PROD);
  return ports;
}

describe("a namespace", () => {
  // proves NS-01, AGT-06
  it("is created, changed and removed, each with an audit row", async () => {
    const ports = await withProd();
    const time = expect.stringMatching(/Z$/);
    const record = { ...PROD, created_at: time, created_by: OPERATOR.id, updated_at: time };
    expect(await getNamespace(ports, OPERATOR, "prod")).toEqual({ kind: "ok", value: record });
    const update = { description: null };
    expect(await updateNamespace(ports, OPERATOR, { id: "prod", update })).toEqual({
      kind: "ok",
      value: { ...record, ...update },
    });
    expect(await removeNamespace(ports, OPERATOR, "prod")).toMatchObject({ kind: "ok" });
    const common = { kind: "namespace", namespace: "prod", principal: OPERATOR.id, org: OPERATOR.org };
    expect(ports.database.auditRows).toMatchObject([
      { ...common, action: "created", name: "Production", description: "live", rogue_detection: null },
      { ...common, action: "updated", name: null, description: null },
      { ...common, action: "removed", name: null, description: null },
    ]);
    expect(ports.database.events).toEqual([]);
    expect(ports.propagation.announced).toEqual([]);
  });

  it("is created once", async () => {
    const ports = await withProd();
    expect(await createNamespace(ports, OPERATOR, { ...PROD, name: "again" })).toMatchObject({
      problem: { code: "conflict", detail: expect.stringContaining("PATCH namespaces/prod") },
    });
    expect(await createNamespace(ports, STRANGER, PROD)).toMatchObject({ kind: "ok" });
  });

  it("is refused beyond the limit", async () => {
    const ports = testPorts();
    ports.database.limits.namespaces = 0;
    expect(await createNamespace(ports, OPERATOR, PROD)).toMatchObject({
      problem: { code: "limit_reached" },
    });
  });

  // proves NS-02
  it("that an assignment or an active switch names is not removed, and the refusal names both", async () => {
    const ports = await withProd();
    await createPolicy(ports, OPERATOR, yaml());
    const bound = await assignPolicy(ports, OPERATOR, {
      policy_id: "refunds",
      agent_id: null,
      namespace_id: "prod",
    });
    await activateKillSwitch(ports, OPERATOR, activation({ scope: "namespace", target_id: "prod" }));
    const [id] = ports.database.killSwitches.keys();
    const asg = bound.kind === "assigned" ? bound.record.id : "";
    expect(await removeNamespace(ports, OPERATOR, "prod")).toMatchObject({
      problem: {
        code: "conflict",
        detail:
          `Namespace prod is in use by policy assignment ${asg}; active kill switch ${String(id)}. ` +
          "Remove, move, deactivate or revoke what names it first.",
      },
    });
    expect(await getNamespace(ports, OPERATOR, "prod")).toMatchObject({ kind: "ok" });
  });

  // proves NS-03
  it("default is there without being created, and stays", async () => {
    const ports = testPorts();
    expect(await getNamespace(ports, OPERATOR, "default")).toMatchObject({
      value: { id: "default", created_at: null, created_by: null },
    });
    expect(await removeNamespace(ports, OPERATOR, "default")).toMatchObject({
      problem: { code: "conflict" },
    });
    expect(await createNamespace(ports, OPERATOR, { ...PROD, id: "default" })).toMatchObject({
      problem: { code: "conflict" },
    });
    expect(await listNamespaces(ports, OPERATOR, { limit: 5, after: null })).toMatchObject({
      value: { items: [{ id: "default" }], next: null },
    });
  });

  it.each([
    ["that does not exist", OPERATOR, "none"],
    ["K3: of another organization", STRANGER, "prod"],
  ])("%s is not found by any operation", async (_name, principal, id) => {
    const ports = await withProd();
    const outcomes = [
      await getNamespace(ports, principal, id),
      await updateNamespace(ports, principal, { id, update: { name: "x" } }),
      await removeNamespace(ports, principal, id),
      await getRogueDetection(ports, principal, id),
      await putRogueDetection(ports, principal, { id, settings: requestedRogueDetection() }),
    ];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        problem: { code: "not_found", detail: expect.stringContaining(`POST namespaces {"id":"${id}"}`) },
      });
    }
    expect(ports.database.auditRows).toHaveLength(1);
  });

  it("is listed by id, with cursors of its own", async () => {
    const ports = await withProd();
    const first = await listNamespaces(ports, OPERATOR, { limit: 1, after: null });
    expect(first).toMatchObject({ value: { items: [{ id: "default" }] } });
    const after = first.kind === "ok" ? first.value.next : null;
    expect(await listNamespaces(ports, OPERATOR, { limit: 1, after })).toMatchObject({
      value: { items: [{ id: "prod" }], next: null },
    });
    expect(await listNamespaces(ports, OPERATOR, { limit: 1, after: "x" })).toMatchObject({
      problem: { code: "invalid_request" },
    });
  });

  it("with a secret in its texts is audited without it", async () => {
    const ports = testPorts();
    await createNamespace(ports, OPERATOR, { id: "a", name: SECRET, description: `key ${SECRET}` });
    expect(JSON.stringify(ports.database.auditRows)).not.toContain(SECRET);
  });
});

describe("rogue-detection settings", () => {
  // proves NS-04
  it("are the defaults until somebody sets them, and then those", async () => {
    const ports = await withProd();
    const view = { namespace_id: "prod", updated_at: null, updated_by: null };
    expect(await getRogueDetection(ports, OPERATOR, "prod")).toEqual({
      kind: "ok",
      value: { ...view, rogue_detection: DEFAULT_ROGUE_DETECTION },
    });
    const changed = requestedRogueDetection({ heartbeat: { interval_seconds: 5 } });
    const put = await putRogueDetection(ports, OPERATOR, { id: "prod", settings: changed });
    expect(put).toMatchObject({
      kind: "ok",
      value: { rogue_detection: { heartbeat: { interval_seconds: 5, warn_after_missed: 2 } } },
    });
    expect(await getRogueDetection(ports, OPERATOR, "prod")).toMatchObject({
      value: { rogue_detection: changed, updated_by: OPERATOR.id },
    });
  });

  it("are audited with the kinds of their channels, never with their addresses", async () => {
    const ports = await withProd();
    const notify_channels = [
      { webhook: "https://hooks.example/T0/secret-path" },
      { slack: "https://chat.example/secret-path" },
    ];
    const changed = requestedRogueDetection({ escalation: { notify_channels } });
    await putRogueDetection(ports, OPERATOR, { id: "prod", settings: changed });
    expect(ports.database.auditRows.at(-1)).toMatchObject({
      kind: "namespace",
      action: "rogue_detection_changed",
      namespace: "prod",
      rogue_detection: {
        heartbeat: DEFAULT_ROGUE_DETECTION.heartbeat,
        escalation: { notify_channel_kinds: ["webhook", "slack"], auto_kill_on_emergency: true },
      },
    });
    expect(JSON.stringify(ports.database.auditRows)).not.toContain("secret-path");
  });
});

// proves NS-01
it("a key that is bound changes only its own namespaces, and none if bound to agents", async () => {
  const ports = await withProd();
  const prodOnly = { ...OPERATOR, namespaces: new Set(["prod"]) };
  const agentOnly = { ...OPERATOR, agents: new Set(["a-1"]) };
  const stage = { ...PROD, id: "stage" };
  expect(await createNamespace(ports, prodOnly, stage)).toMatchObject({ problem: { code: "forbidden" } });
  const update = { name: "P" };
  expect(await updateNamespace(ports, prodOnly, { id: "prod", update })).toMatchObject({ kind: "ok" });
  const settingsOf = { id: "default", settings: requestedRogueDetection() };
  expect(await putRogueDetection(ports, prodOnly, settingsOf)).toMatchObject({
    problem: { code: "forbidden" },
  });
  expect(await removeNamespace(ports, agentOnly, "prod")).toMatchObject({ problem: { code: "forbidden" } });
  expect(ports.database.auditRows).toHaveLength(2);
});
