import type { PolicyRow } from "@svc/contract/audit-row";
import { ANY_POLICY } from "@svc/contract/policy-list";
import { describe, expect, it } from "vitest";
import { assignPolicy } from "../assignments/assign-policy.ts";
import { unassignPolicy } from "../assignments/unassign-policy.ts";
import { yaml } from "../testing/documents.ts";
import { OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { createPolicy } from "./create-policy.ts";
import { getPolicy } from "./get-policy.ts";
import { getPolicyVersion } from "./get-policy-version.ts";
import { labelPolicy } from "./label-policy.ts";
import { listPolicies } from "./list-policies.ts";
import { movePolicy } from "./move-policy.ts";
import { ORDINARY_LOAD } from "./read-document.ts";
import { rollbackPolicy } from "./rollback-policy.ts";
import { updatePolicy } from "./update-policy.ts";

const id = "refunds";
const SECRET = "AKIAIOSFODNN7EXAMPLE";

async function withPolicy(known: Readonly<Record<string, unknown>> = {}) {
  const ports = testPorts();
  await createPolicy(ports, OPERATOR, yaml(known));
  return ports;
}

const lastRow = (ports: Awaited<ReturnType<typeof withPolicy>>) =>
  ports.database.auditRows.at(-1) as PolicyRow;

describe("the state of a policy", () => {
  // proves POL-36, POL-64
  it.each(["disabled", "enabled"] as const)(
    "becomes %s with a row, an event and acknowledgements",
    async (to) => {
      const ports = await withPolicy();
      if (to === "enabled") await movePolicy(ports, OPERATOR, { id, to: "disabled", why: null });
      const revision = ports.database.events.length + 1;
      expect(await movePolicy(ports, OPERATOR, { id, to, why: `as ${SECRET} said` })).toMatchObject({
        kind: "moved",
        record: { id, version: 1, enabled: to === "enabled", archived: false },
        acknowledgements: { gateways: [{ id: "gw-1", acknowledged_ms: 3 }] },
      });
      expect(lastRow(ports)).toMatchObject({
        action: to,
        principal: "key_1",
        policy_id: id,
        policy_version: null,
        why: "as [masked:secret.aws_key] said",
      });
      expect(ports.propagation.announced.at(-1)).toBe(revision);
      expect(ports.informed.at(-1)).toBe(`policy ${to}`);
    },
  );

  it("is acknowledged again when a move is repeated, and writes nothing", async () => {
    const ports = await withPolicy();
    const disable = () => movePolicy(ports, OPERATOR, { id, to: "disabled", why: null });
    const first = await disable();
    const rows = ports.database.auditRows.length;
    expect(await disable()).toEqual(first);
    expect(ports.database.auditRows).toHaveLength(rows);
    // The version that the answer names may still be compiled, whatever the last change of control state was.
    expect(ports.propagation.probedPolicies).toEqual([id]);
  });

  // proves POL-68
  it("is not archived while it is assigned, and the refusal names the assignments", async () => {
    const ports = await withPolicy();
    const archive = () => movePolicy(ports, OPERATOR, { id, to: "archived", why: null });
    expect(await archive()).toMatchObject({
      problem: { code: "conflict", detail: expect.stringMatching(/assignment asg_1\. .*DELETE/) },
    });
    await unassignPolicy(ports, OPERATOR, "asg_1", "no longer used");
    expect(lastRow(ports)).toMatchObject({ action: "unassigned", why: "no longer used" });
    expect(await archive()).toMatchObject({ record: { archived: true, enabled: false } });
  });

  // proves POL-68
  it("refuses every change of an archived policy but its return, and keeps its history", async () => {
    const ports = await withPolicy({ agent_id: undefined });
    await movePolicy(ports, OPERATOR, { id, to: "archived", why: null });
    const refused = { problem: { code: "conflict", detail: expect.stringContaining("archived") } };
    const text = yaml({ agent_id: undefined });
    expect(await updatePolicy(ports, OPERATOR, { id, text, expectedVersion: null })).toMatchObject(refused);
    expect(await rollbackPolicy(ports, OPERATOR, { id, target_version: 1 })).toMatchObject(refused);
    const binding = { policy_id: id, agent_id: "a-9", namespace_id: null };
    expect(await assignPolicy(ports, OPERATOR, binding)).toMatchObject(refused);
    expect(await createPolicy(ports, OPERATOR, text)).toMatchObject(refused);
    expect(await getPolicyVersion(ports, OPERATOR, { id, version: 1 })).toMatchObject({ kind: "ok" });
    expect(await movePolicy(ports, OPERATOR, { id, to: "enabled", why: null })).toMatchObject({
      kind: "moved",
    });
    expect(await assignPolicy(ports, OPERATOR, binding, "back again")).toMatchObject({ kind: "assigned" });
    expect(lastRow(ports)).toMatchObject({ action: "assigned", why: "back again" });
  });

  it("K3: is nobody else's to change", async () => {
    const ports = await withPolicy();
    const missing = { problem: { code: "not_found" } };
    expect(await movePolicy(ports, STRANGER, { id, to: "disabled", why: null })).toMatchObject(missing);
    expect(await labelPolicy(ports, STRANGER, { id, labels: { a: "b" }, why: null })).toMatchObject(missing);
  });

  it("says so when no gateway acknowledges", async () => {
    const ports = await withPolicy();
    ports.propagation.gateways = [{ id: "gw-1", acknowledged_ms: null }];
    expect(await movePolicy(ports, OPERATOR, { id, to: "disabled", why: null })).toMatchObject({
      acknowledgements: { note: expect.stringContaining("gw-1") },
    });
  });
});

describe("the reason for a change", () => {
  // proves POL-64
  it("stays in the version and in the row", async () => {
    const ports = await withPolicy();
    const load = { ...ORDINARY_LOAD, why: "ticket 7" };
    await updatePolicy(ports, OPERATOR, { id, text: yaml(), expectedVersion: null, load });
    expect(lastRow(ports)).toMatchObject({ action: "updated", why: "ticket 7" });
    await rollbackPolicy(ports, OPERATOR, { id, target_version: 1, load: { ...load, why: "undo" } });
    expect(lastRow(ports)).toMatchObject({ action: "rolled_back", why: "undo" });
    expect(await getPolicy(ports, OPERATOR, id)).toMatchObject({ value: { record: { why: "undo" } } });
    expect(await getPolicyVersion(ports, OPERATOR, { id, version: 2 })).toMatchObject({
      value: { record: { why: "ticket 7" } },
    });
  });
});

describe("labels of a policy", () => {
  // proves POL-64, POL-69
  it("are set and removed, with a row and no event", async () => {
    const ports = await withPolicy();
    const events = ports.database.events.length;
    const label = (labels: Record<string, string | null>) =>
      labelPolicy(ports, OPERATOR, { id, labels, why: "sorting" });
    await label({ team: "x", note: SECRET });
    expect(lastRow(ports)).toMatchObject({
      action: "labelled",
      why: "sorting",
      labels: { team: "x", note: "[masked:secret.aws_key]" },
    });
    expect(await label({ note: null, tier: "1" })).toMatchObject({
      kind: "ok",
      value: { labels: { team: "x", tier: "1" } },
    });
    expect(ports.database.events).toHaveLength(events);
    const filter = { ...ANY_POLICY, text: "TEAM=X" };
    expect(await listPolicies(ports, OPERATOR, { filter, page: { limit: 5, after: null } })).toMatchObject({
      value: { items: [{ id, labels: { team: "x", tier: "1" } }] },
    });
  });

  it("are at most 32 in all", async () => {
    const ports = await withPolicy();
    const some = (from: number) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${String(from + at)}`, "v"]));
    await labelPolicy(ports, OPERATOR, { id, labels: some(0), why: null });
    expect(await labelPolicy(ports, OPERATOR, { id, labels: some(20), why: null })).toMatchObject({
      problem: { code: "limit_reached", detail: expect.stringContaining("32") },
    });
  });
});
