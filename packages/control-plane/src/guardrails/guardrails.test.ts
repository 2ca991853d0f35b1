import type { GuardrailCreation, GuardrailUpdate } from "@svc/contract/guardrail";
import { prepareDocument } from "@svc/engine/prepare-document";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { createPolicy } from "../policies/create-policy.ts";
import { diffPolicy } from "../policies/diff-policy.ts";
import { movePolicy } from "../policies/move-policy.ts";
import { rollbackPolicy } from "../policies/rollback-policy.ts";
import { updatePolicy } from "../policies/update-policy.ts";
import { yaml } from "../testing/documents.ts";
import { OPERATOR, STRANGER, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { changeGuardrail } from "./change-guardrail.ts";
import { createGuardrail } from "./create-guardrail.ts";
import { getGuardrail, testGuardrail } from "./get-guardrail.ts";
import { removeGuardrail } from "./remove-guardrail.ts";

const EMPTY = { description: null, detectors: [], patterns: [], allow: [], why: null };

const CARD: GuardrailUpdate = { ...EMPTY, detectors: ["pii.credit_card"] };

const MEMBER: GuardrailUpdate = {
  ...EMPTY,
  patterns: [{ name: "member", matches: "MBR-[0-9]+", must_match: ["MBR-1"], must_not_match: ["MBR-"] }],
  why: "cards are gone",
};

const creation = (id: string, update: GuardrailUpdate = CARD): GuardrailCreation => ({ id, ...update });

const naming = (...ids: string[]): JsonObject => ({
  rules: [
    {
      id: "hide",
      match: { tool: "*" },
      action: "redact",
      redact: { detectors: ids.map((id) => `guardrail.${id}`) },
    },
  ],
});

const create = (ports: TestPorts, id: string, update: GuardrailUpdate = CARD) =>
  createGuardrail(ports, OPERATOR, { creation: creation(id, update), dryRun: false });

const change = (ports: TestPorts, id: string, update: GuardrailUpdate, dryRun = false) =>
  changeGuardrail(ports, OPERATOR, { id, expectedVersion: null, update, dryRun });

const remove = (ports: TestPorts, id: string) =>
  removeGuardrail(ports, OPERATOR, { id, expectedVersion: null, why: null });

const replace = (ports: TestPorts, document: JsonObject) =>
  updatePolicy(ports, OPERATOR, { id: "refunds", text: yaml(document), expectedVersion: null });

/** A policy that names the guardrail `pci`. */
async function withUser() {
  const ports = testPorts();
  await create(ports, "pci");
  expect(await createPolicy(ports, OPERATOR, yaml(naming("pci")))).toMatchObject({
    kind: "created",
    record: { version: 1, guardrails: ["pci@1"] },
  });
  return ports;
}

const sources = (ports: TestPorts) =>
  ports.database.events.flatMap(({ change: made }) => (made.kind === "policy" ? [made.source] : []));

describe("a policy that names a guardrail", () => {
  // proves DSET-02
  it("is refused where it names one that does not exist, with the nearest name", async () => {
    const ports = await withUser();
    const refused = await createPolicy(ports, OPERATOR, yaml({ id: "q", agent_id: "a-2", ...naming("pc") }));
    expect(refused).toMatchObject({
      problem: {
        code: "invalid_policy",
        errors: [{ code: "policy/unknown-name", line: 4, fix: "did you mean guardrail.pci?" }],
      },
    });
    const stranger = await createPolicy(ports, STRANGER, yaml(naming("pci")));
    expect(stranger).toMatchObject({ problem: { code: "invalid_policy" } });
  });

  // proves DSET-04
  it("reaches gateways with the guardrail in it, so that nothing else must arrive first", async () => {
    const ports = await withUser();
    const [sealed = ""] = sources(ports);
    expect(prepareDocument({ source: sealed, json: sealed }).ok).toBe(true);
    expect(ports.database.policies[0]?.entity.source).toBe(yaml(naming("pci")).source);
    const snapshot = await ports.database.controlFeed.snapshot();
    const changes = snapshot.changes.filter(({ change: made }) => made.kind === "policy");
    expect(changes).toMatchObject([{ change: { source: sealed, json: sealed } }]);
  });

  it("is refused when the guardrail changes between its check and the store", async () => {
    const ports = await withUser();
    ports.database.before = async (call) => {
      if (call !== "appendPolicyVersion") return;
      ports.database.before = async () => {};
      await change(ports, "pci", MEMBER);
    };
    // The version of the policy has moved, which is found first.
    expect(await replace(ports, naming("pci"))).toMatchObject({ problem: { code: "version_moved" } });
    await createPolicy(ports, OPERATOR, yaml({ id: "q", agent_id: "a-2" }));
    ports.database.before = async (call) => {
      if (call !== "appendPolicyVersion") return;
      ports.database.before = async () => {};
      await change(ports, "pci", CARD);
    };
    const text = yaml({ id: "q", agent_id: "a-2", ...naming("pci") });
    const raced = await updatePolicy(ports, OPERATOR, { id: "q", text, expectedVersion: null });
    expect(raced).toMatchObject({ problem: { code: "version_moved" } });
  });

  it("is refused when as many policies use the guardrail as can", async () => {
    const ports = await withUser();
    const outcomes = [];
    for (const id of ["b", "c", "d"])
      outcomes.push(await createPolicy(ports, OPERATOR, yaml({ id, agent_id: id, ...naming("pci") })));
    expect(outcomes).toMatchObject([
      { kind: "created" },
      { kind: "created" },
      { problem: { code: "limit_reached" } },
    ]);
    expect(await replace(ports, { ...naming("pci"), name: "again" })).toMatchObject({ kind: "appended" });
  });
});

describe("a change of a guardrail", () => {
  // proves DSET-07
  it("is a version of every policy that uses it, announced and audited at once", async () => {
    const ports = await withUser();
    await createPolicy(ports, OPERATOR, yaml({ id: "q", agent_id: "a-2" }));
    const outcome = await change(ports, "pci", MEMBER);
    expect(outcome).toMatchObject({
      kind: "ok",
      value: {
        record: { id: "pci", version: 2 },
        policies: [{ id: "refunds", version: 2 }],
        acknowledgements: { gateways: [{ acknowledged_ms: expect.any(Number) }] },
      },
    });
    expect(ports.database.auditRows.slice(-2)).toMatchObject([
      { kind: "guardrail", action: "updated", version: 2, patterns: ["member"], policies: ["refunds@2"] },
      { kind: "policy", policy_version: 2, guardrails: ["pci@2"], why: "cards are gone" },
    ]);
    expect(sources(ports).at(-1)).toContain("MBR-[0-9]+");
    expect(ports.propagation.announced.at(-1)).toBe(ports.database.events.at(-1)?.revision);
    const diff = await diffPolicy(ports, OPERATOR, { id: "refunds", from: null, to: null });
    expect(diff).toMatchObject({ kind: "ok", value: { identical: false } });
  });

  // proves DSET-07
  it("changes nothing when a policy that uses it would be refused", async () => {
    const ports = await withUser();
    const before = ports.database.events.length;
    const refusing = { ...ports, documents: { check: () => ports.documents.check(yaml({ rules: 1 })) } };
    expect(await change(refusing, "pci", MEMBER)).toMatchObject({
      problem: { code: "conflict", detail: expect.stringContaining("Policy refunds") },
    });
    expect(ports.database.events).toHaveLength(before);
    expect(await getGuardrail(ports, OPERATOR, { id: "pci" })).toMatchObject({ value: { version: 1 } });
  });

  it("is tried by a dry run that stores nothing", async () => {
    const ports = await withUser();
    const rows = ports.database.auditRows.length;
    expect(await change(ports, "pci", MEMBER, true)).toMatchObject({
      value: { dryRun: true, record: { version: 2 }, policies: [{ id: "refunds", version: 2 }] },
    });
    expect(ports.database.auditRows).toHaveLength(rows);
  });

  it("keeps a disabled policy disabled, and leaves an archived one as it is", async () => {
    const ports = await withUser();
    await movePolicy(ports, OPERATOR, { id: "refunds", to: "disabled", why: null });
    await change(ports, "pci", MEMBER);
    const last = ports.database.events.at(-1)?.change;
    expect(last).toMatchObject({ kind: "policy", version: 2, enabled: false });
  });

  // proves DSET-05
  it("is refused for a pattern that does not do what its texts say", async () => {
    const ports = await withUser();
    const [pattern] = MEMBER.patterns;
    if (pattern === undefined) throw new Error("expected a pattern");
    const wrong = { ...MEMBER, patterns: [{ ...pattern, must_match: ["member 1"] }] };
    expect(await change(ports, "pci", wrong)).toMatchObject({
      problem: {
        code: "invalid_request",
        detail: expect.stringContaining("The guardrail was refused"),
        errors: [{ code: "guardrail/sample-differs", pointer: "/patterns/0/must_match/0" }],
      },
    });
  });

  // proves DSET-10
  it("says what its author should know of it, in a dry run, too", async () => {
    const ports = await withUser();
    const never = { name: "never", matches: "a^b", must_match: [], must_not_match: [] };
    const doubtful = { ...EMPTY, patterns: [never] };
    const warnings = [{ code: "guardrail/untried-pattern", severity: "warning" }];
    for (const dryRun of [true, false])
      expect(await change(ports, "pci", doubtful, dryRun)).toMatchObject({ value: { warnings } });
    expect(await create(ports, "other", doubtful)).toMatchObject({ value: { warnings } });
    expect(await create(ports, "cards")).toMatchObject({ value: { warnings: [] } });
  });
});

describe("a guardrail in use", () => {
  // proves DSET-08
  it("is not removed while the latest version of a policy that is not archived names it", async () => {
    const ports = await withUser();
    expect(await remove(ports, "pci")).toMatchObject({
      problem: { code: "conflict", detail: expect.stringContaining("policy refunds") },
    });
    await replace(ports, {});
    expect(await remove(ports, "pci")).toMatchObject({ kind: "ok" });
    expect(ports.database.auditRows.at(-1)).toMatchObject({ kind: "guardrail", action: "removed" });
  });

  // proves DSET-08
  it("that was removed refuses a rollback to a version that names it", async () => {
    const ports = await withUser();
    await replace(ports, {});
    await remove(ports, "pci");
    const back = () => rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 });
    expect(await back()).toMatchObject({ problem: { code: "invalid_policy" } });
    // Another guardrail of the id is a later version, and the rollback takes it.
    expect(await create(ports, "pci", MEMBER)).toMatchObject({ value: { record: { version: 2 } } });
    expect(await back()).toMatchObject({ kind: "appended", record: { guardrails: ["pci@2"] } });
    expect(await getGuardrail(ports, OPERATOR, { id: "pci", version: 1 })).toMatchObject({
      value: { detectors: ["pii.credit_card"] },
    });
  });

  // proves DSET-08
  it("keeps an archived policy from coming into force with an old version of it", async () => {
    const ports = testPorts();
    await create(ports, "pci");
    const { agent_id: _agent, ...document } = { agent_id: undefined, ...naming("pci") };
    await createPolicy(ports, OPERATOR, yaml({ ...document, agent_id: undefined }));
    await movePolicy(ports, OPERATOR, { id: "refunds", to: "archived", why: null });
    await change(ports, "pci", MEMBER);
    const enable = () => movePolicy(ports, OPERATOR, { id: "refunds", to: "enabled", why: null });
    expect(await enable()).toMatchObject({ problem: { code: "conflict" } });
    expect(await movePolicy(ports, OPERATOR, { id: "refunds", to: "disabled", why: null })).toMatchObject({
      kind: "moved",
    });
    await updatePolicy(ports, OPERATOR, {
      id: "refunds",
      text: yaml({ ...document, agent_id: undefined }),
      expectedVersion: null,
    });
    expect(await enable()).toMatchObject({ kind: "moved", record: { guardrails: ["pci@2"] } });
  });
});

describe("guardrails of an organization", () => {
  it("are as many as can be, each id once, and those of others are not seen", async () => {
    const ports = testPorts();
    for (const id of ["a", "b", "c", "d", "e"]) await create(ports, id);
    expect(await create(ports, "f")).toMatchObject({ problem: { code: "limit_reached" } });
    expect(await create(ports, "a")).toMatchObject({ problem: { code: "conflict" } });
    expect(await getGuardrail(ports, STRANGER, { id: "a" })).toMatchObject({
      problem: { code: "not_found" },
    });
    expect(await remove(ports, "a")).toMatchObject({ kind: "ok" });
    expect(await create(ports, "f")).toMatchObject({ kind: "ok" });
  });

  // proves DSET-06
  it("are tried on a text, of which nothing is kept", async () => {
    const ports = testPorts();
    await create(ports, "pci");
    const rows = ports.database.auditRows.length;
    expect(await testGuardrail(ports, OPERATOR, { id: "pci", text: "x 4242424242424242" })).toEqual({
      kind: "ok",
      value: {
        id: "pci",
        version: 1,
        finds: true,
        complete: true,
        findings: [{ detector: "pii.credit_card", start: 2, end: 18, allowed: false }],
      },
    });
    expect(ports.database.auditRows).toHaveLength(rows);
    expect(ports.logged.join()).not.toContain("4242");
  });
});
