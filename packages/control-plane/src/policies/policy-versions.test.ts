import { ANY_POLICY } from "@svc/contract/policy-list";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignPolicy } from "../assignments/assign-policy.ts";
import { unassignPolicy } from "../assignments/unassign-policy.ts";
import { yaml } from "../testing/documents.ts";
import { OPERATOR, STRANGER, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { createPolicy } from "./create-policy.ts";
import { getPolicy } from "./get-policy.ts";
import { getPolicyVersion } from "./get-policy-version.ts";
import { listPolicies } from "./list-policies.ts";
import { listPolicyVersions } from "./list-policy-versions.ts";
import { movePolicy } from "./move-policy.ts";
import type { LoadMode } from "./read-document.ts";
import { rollbackPolicy } from "./rollback-policy.ts";
import { updatePolicy } from "./update-policy.ts";

async function withPolicy() {
  const ports = testPorts();
  await createPolicy(ports, OPERATOR, yaml());
  return ports;
}

const boundAgents = (ports: TestPorts) =>
  [...ports.database.assignments.values()].map(({ entity }) => [entity.policy_id, entity.agent_id]);

const CREATION_ROWS = 2;

const update = (known: Record<string, unknown> = {}, expectedVersion: number | null = null) => ({
  id: "refunds",
  text: yaml(known),
  expectedVersion,
});

describe("an update", () => {
  // proves MODE-04, VER-01
  it.each([null, 1])("appends the next version, with If-Match %s", async (expectedVersion) => {
    const ports = await withPolicy();
    const outcome = await updatePolicy(
      ports,
      OPERATOR,
      update({ governance_mode: "audit_only" }, expectedVersion),
    );
    expect(outcome).toMatchObject({
      kind: "appended",
      record: { id: "refunds", version: 2, rolled_back_to: null },
    });
    expect(ports.database.auditRows[2]).toMatchObject({
      action: "updated",
      policy_version: 2,
      mode: "audit_only",
    });
    expect(ports.propagation.announced).toEqual([2, 3]);
    expect(ports.database.policies[0]?.entity.record.version).toBe(1);
  });

  // proves VER-05
  it.each([2, 9])("with an outdated If-Match (%d) is refused naming the latest", async (expectedVersion) => {
    const ports = await withPolicy();
    const outcome = await updatePolicy(ports, OPERATOR, update({}, expectedVersion));
    expect(outcome).toMatchObject({
      problem: { code: "version_moved", detail: expect.stringContaining("is 1") },
    });
    expect(ports.database.auditRows).toHaveLength(CREATION_ROWS);
  });

  // proves POL-04
  it("cannot change the id", async () => {
    const ports = await withPolicy();
    const outcome = await updatePolicy(ports, OPERATOR, update({ id: "other" }));
    expect(outcome).toMatchObject({
      problem: { code: "invalid_policy", errors: [{ pointer: "/id", found: '"other"' }] },
    });
    expect(ports.database.policies).toHaveLength(1);
  });

  // proves POL-38
  it.each([
    ["does not name its agent any more", { agent_id: undefined }],
    ["names its agent again", { agent_id: "a-1" }],
  ])("keeps the binding when its document %s", async (_name, known) => {
    const ports = await withPolicy();
    expect(await updatePolicy(ports, OPERATOR, update(known))).toMatchObject({ kind: "appended" });
    expect(boundAgents(ports)).toEqual([["refunds", "a-1"]]);
  });

  // proves POL-38
  it("cannot move to an agent by its document, and says which assignment to make instead", async () => {
    const ports = await withPolicy();
    expect(await updatePolicy(ports, OPERATOR, update({ agent_id: "a-2" }))).toMatchObject({
      problem: {
        code: "conflict",
        detail: expect.stringContaining('POST policy-assignments {"policy_id":"refunds","agent_id":"a-2"}'),
      },
    });
    await createPolicy(ports, OPERATOR, yaml({ id: "other", agent_id: "a-2" }));
    expect(await updatePolicy(ports, OPERATOR, update({ agent_id: "a-2" }))).toMatchObject({
      problem: {
        code: "agent_already_bound",
        detail: expect.stringMatching(
          /policy other by assignment asg_2.*DELETE policy-assignments\/asg_2, then POST/,
        ),
      },
    });
    expect(boundAgents(ports)).toEqual([
      ["refunds", "a-1"],
      ["other", "a-2"],
    ]);
    expect(ports.database.policies).toHaveLength(2);
  });

  it("leaves a disabled policy disabled", async () => {
    const ports = await withPolicy();
    await movePolicy(ports, OPERATOR, { id: "refunds", to: "disabled", why: null });
    const updated = await updatePolicy(ports, OPERATOR, update());
    expect(updated).toMatchObject({ record: { version: 2, enabled: false } });
    const restored = await rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 });
    expect(restored).toMatchObject({ record: { version: 3, enabled: false } });
    const states = ports.database.events.map(({ change }) => change.kind === "policy" && change.enabled);
    expect(states).toEqual([true, false, false, false, false]);
  });

  it("is written once per version when several race; the others are refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 5 }), async (scheduler, callers) => {
        const ports = await withPolicy();
        ports.database.before = (call) => scheduler.schedule(Promise.resolve(), call);
        const all = Promise.all(
          Array.from({ length: callers }, (_, index) =>
            index === 0
              ? rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 })
              : updatePolicy(ports, OPERATOR, update()),
          ),
        );
        const told = (await scheduler.waitFor(all)).map((each) =>
          each.kind === "problem" ? each.problem.code : each.kind,
        );
        const versions = ports.database.policies.map(({ entity }) => entity.record.version);
        expect(versions).toEqual(versions.map((_, index) => index + 1));
        expect(told.filter((kind) => kind === "appended")).toHaveLength(versions.length - 1);
        expect(told.every((kind) => kind === "appended" || kind === "version_moved")).toBe(true);
        expect(ports.database.auditRows).toHaveLength(versions.length - 1 + CREATION_ROWS);
      }),
      { numRuns: runs(100, 1_000) },
    );
  });
});

describe("a rollback", () => {
  // proves VER-02
  it("appends the content of the target as the next version", async () => {
    const ports = await withPolicy();
    await updatePolicy(ports, OPERATOR, update({ name: "Second", agent_id: undefined }));
    const outcome = await rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 });
    expect(outcome).toMatchObject({
      kind: "appended",
      record: { version: 3, name: null, rolled_back_to: 1 },
    });
    const texts = ports.database.policies.map(({ entity }) => entity.source);
    expect(texts[2]).toBe(texts[0]);
    expect(boundAgents(ports)).toEqual([["refunds", "a-1"]]);
    expect(ports.database.auditRows[3]).toMatchObject({
      action: "rolled_back",
      policy_version: 3,
      rolled_back_to: 1,
    });
  });

  it.each([1, 3])("with an outdated If-Match (%d) is refused and writes nothing", async (expectedVersion) => {
    const ports = await withPolicy();
    await updatePolicy(ports, OPERATOR, update({ name: "Second", agent_id: undefined }));
    const rows = ports.database.auditRows.length;
    const change = { id: "refunds", target_version: 1 };
    const refused = await rollbackPolicy(ports, OPERATOR, { ...change, expectedVersion });
    expect(refused).toMatchObject({ kind: "problem", problem: { code: "version_moved" } });
    expect(ports.database.auditRows).toHaveLength(rows);
    const outcome = await rollbackPolicy(ports, OPERATOR, { ...change, expectedVersion: 2 });
    expect(outcome).toMatchObject({ kind: "appended", record: { version: 3 } });
  });

  // proves VER-03
  it.each([
    ["a version that does not exist", OPERATOR, "refunds", 2],
    ["a policy that does not exist", OPERATOR, "other", 1],
    ["K3: a policy of another organization", STRANGER, "refunds", 1],
  ])("to %s is refused and writes nothing", async (_name, principal, id, target_version) => {
    const ports = await withPolicy();
    const outcome = await rollbackPolicy(ports, principal, { id, target_version });
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "not_found" } });
    expect(ports.database.auditRows).toHaveLength(CREATION_ROWS);
  });

  it("to a text that no longer compiles is refused here, not by the gateways", async () => {
    const ports = await withPolicy();
    ports.database.rewritePolicy("refunds", 1, { source: "id: refunds\nold_field: 1\n" });
    const outcome = await rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 });
    expect(outcome).toMatchObject({
      problem: { code: "invalid_policy", errors: [{ pointer: "/old_field" }] },
    });
    expect(ports.database.auditRows).toHaveLength(CREATION_ROWS);
  });

  // proves POL-38
  it("keeps the bindings of today, also when the target names another agent", async () => {
    const ports = await withPolicy();
    await updatePolicy(ports, OPERATOR, update({ agent_id: undefined }));
    await unassignPolicy(ports, OPERATOR, "asg_1");
    await assignPolicy(ports, OPERATOR, { policy_id: "refunds", agent_id: "a-9", namespace_id: null });
    await createPolicy(ports, OPERATOR, yaml({ id: "other" }));
    const outcome = await rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 });
    expect(outcome).toMatchObject({ kind: "appended", record: { version: 3 } });
    expect(boundAgents(ports)).toEqual([
      ["refunds", "a-9"],
      ["other", "a-1"],
    ]);
  });
});

describe("a load that is strict or a dry run", () => {
  const warned = { tools: { allowed: ["payments.*"], denied: ["payments.*"] } };
  const strict = { strict: true, dryRun: false };
  const dryRun = { strict: false, dryRun: true };

  /** The same load by each way that a document comes in. */
  const ways = {
    create: (ports: TestPorts, load: LoadMode) =>
      createPolicy(ports, OPERATOR, yaml({ id: "new", agent_id: "a-7", ...warned }), load),
    update: (ports: TestPorts, load: LoadMode) => updatePolicy(ports, OPERATOR, { ...update(warned), load }),
    rollback: (ports: TestPorts, load: LoadMode) =>
      rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1, load }),
  };

  async function withWarnedPolicy() {
    const ports = testPorts();
    await createPolicy(ports, OPERATOR, yaml(warned));
    return ports;
  }

  // proves POL-40
  it.each(Object.entries(ways))(
    "%s with strict refuses a document that has warnings",
    async (_name, load) => {
      const ports = await withWarnedPolicy();
      const outcome = await load(ports, strict);
      expect(outcome).toMatchObject({
        problem: { code: "invalid_policy", errors: [{ severity: "warning" }] },
      });
      expect(outcome.kind === "problem" && outcome.problem.detail).toContain("strict=true");
      expect(ports.database.policies).toHaveLength(1);
      expect(await load(ports, { strict: true, dryRun: true })).toEqual(outcome);
    },
  );

  // proves POL-33
  it.each(Object.entries(ways))(
    "%s as a dry run reports findings and writes nothing",
    async (_name, load) => {
      const ports = await withWarnedPolicy();
      expect(await load(ports, dryRun)).toMatchObject({
        kind: "validated",
        warnings: [{ severity: "warning" }],
      });
      expect(ports.database.policies).toHaveLength(1);
      expect(ports.database.auditRows).toHaveLength(CREATION_ROWS);
      expect(ports.propagation.announced).toEqual([2]);
    },
  );
});

describe("a document whose line breaks were lost", () => {
  // proves POL-41
  it("is answered with what curl did to it, instead of many findings", async () => {
    const source = yaml({ name: "Refunds" }).source.replaceAll("\n", "");
    const outcome = await createPolicy(testPorts(), OPERATOR, { source, mediaType: "application/yaml" });
    expect(outcome).toMatchObject({
      problem: {
        code: "invalid_policy",
        detail: expect.stringContaining("--data-binary @file"),
        errors: [{ code: "policy/lines-lost" }],
      },
    });
  });

  it.each(["id: p", '{"id": "p", "tools": {"allowed": ["a"]}}', "id: p # a: comment"])(
    "is not suspected in a document that compiles (%s)",
    async (source) => {
      const outcome = await createPolicy(testPorts(), OPERATOR, { source, mediaType: "application/yaml" });
      expect(outcome).toMatchObject({ kind: "created" });
    },
  );
});

describe("reading policies", () => {
  const page = { limit: 10, after: null };

  // proves VER-04
  it("gives the latest, every version as it was, and the history newest first", async () => {
    const ports = await withPolicy();
    await updatePolicy(ports, OPERATOR, update({ name: "Second" }));
    await createPolicy(ports, OPERATOR, yaml({ id: "alpha", agent_id: "a-2" }));
    expect(await getPolicy(ports, OPERATOR, "refunds")).toMatchObject({ value: { record: { version: 2 } } });
    const first = await getPolicyVersion(ports, OPERATOR, { id: "refunds", version: 1 });
    expect(first).toMatchObject({ value: { record: { version: 1, name: null } } });
    const all = await listPolicies(ports, OPERATOR, { filter: ANY_POLICY, page });
    expect(all).toMatchObject({ value: { items: [{ id: "alpha" }, { version: 2 }] } });
    const history = await listPolicyVersions(ports, OPERATOR, { id: "refunds", page });
    expect(history).toMatchObject({
      value: { items: [{ version: 2 }, { version: 1 }] },
    });
  });

  it.each([OPERATOR, STRANGER])("K3: knows nothing of what $org does not have", async (principal) => {
    const ports = await withPolicy();
    const id = principal === OPERATOR ? "other" : "refunds";
    const missing = { kind: "problem", problem: { code: "not_found" } };
    expect(await getPolicy(ports, principal, id)).toMatchObject(missing);
    expect(await getPolicyVersion(ports, principal, { id, version: 1 })).toMatchObject(missing);
    expect(await listPolicyVersions(ports, principal, { id, page })).toMatchObject(missing);
    expect(
      await updatePolicy(ports, principal, { id, text: yaml({ id }), expectedVersion: null }),
    ).toMatchObject(missing);
  });

  it("a page behind the last version is empty, and no missing policy", async () => {
    // The cursor of a page that ended with version 1.
    const behind = { limit: 1, after: Buffer.from("policy-version:1").toString("base64url") };
    const listed = await listPolicyVersions(await withPolicy(), OPERATOR, { id: "refunds", page: behind });
    expect(listed).toMatchObject({ kind: "ok", value: { items: [] } });
  });

  it("refuses cursors that no page gave", async () => {
    const ports = await withPolicy();
    const bad = { limit: 1, after: "x" };
    expect(await listPolicies(ports, OPERATOR, { filter: ANY_POLICY, page: bad })).toMatchObject({
      problem: { code: "invalid_request" },
    });
    expect(await listPolicyVersions(ports, OPERATOR, { id: "refunds", page: bad })).toMatchObject({
      problem: { code: "invalid_request" },
    });
  });
});
