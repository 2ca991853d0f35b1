import { createHash } from "node:crypto";
import { MAX_POLICY_BYTES } from "@svc/contract/limits";
import { describe, expect, it } from "vitest";
import { yaml } from "../testing/documents.ts";
import { OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { createPolicy } from "./create-policy.ts";

describe("creating a policy", () => {
  // proves AUD-17, POL-05, VER-01
  it("writes version 1, binds the agent that the document names, audits and announces", async () => {
    const ports = testPorts();
    const text = yaml({ name: "Refunds", governance_mode: "shadow" });
    const outcome = await createPolicy(ports, OPERATOR, text);
    expect(outcome).toMatchObject({
      kind: "created",
      record: {
        id: "refunds",
        version: 1,
        enabled: true,
        name: "Refunds",
        created_by: "key_1",
        rolled_back_to: null,
        document: { id: "refunds", agent_id: "a-1" },
      },
      assignment: { id: "asg_1", policy_id: "refunds", agent_id: "a-1", namespace_id: null },
      acknowledgements: { gateways: [{ id: "gw-1", acknowledged_ms: 3 }] },
    });
    const digest = createHash("sha256").update(text.source).digest("hex");
    expect(ports.database.auditRows).toEqual([
      {
        v: 1,
        kind: "policy",
        action: "created",
        time: "2026-01-01T00:00:00.000Z",
        org: "acme",
        principal: "key_1",
        policy_id: "refunds",
        policy_version: 1,
        document_digest: `sha256:${digest}`,
        mode: "shadow",
        rolled_back_to: null,
        agent_id: "a-1",
        namespace: null,
        why: null,
        labels: null,
      },
      expect.objectContaining({ kind: "policy", action: "assigned", policy_id: "refunds", agent_id: "a-1" }),
    ]);
    expect(ports.database.events.map(({ change }) => change.kind)).toEqual(["policy", "assignment"]);
    expect(ports.propagation.announced).toEqual([2]);
  });

  it("keeps the text as it came in", async () => {
    const ports = testPorts();
    const text = {
      source: '{"id": "p",  "tools": {"allowed": ["a"]}}',
      mediaType: "application/json",
    } as const;
    const outcome = await createPolicy(ports, OPERATOR, text);
    expect(outcome).toMatchObject({ kind: "created", assignment: null });
    expect(ports.database.policies[0]?.entity).toMatchObject(text);
    expect(ports.database.events).toMatchObject([{ change: { kind: "policy", source: text.source } }]);
  });

  it("hands on what the compiler warns of", async () => {
    const outcome = await createPolicy(
      testPorts(),
      OPERATOR,
      yaml({ tools: { allowed: ["payments.*"], denied: ["payments.*"] } }),
    );
    expect(outcome).toMatchObject({ kind: "created", warnings: [{ severity: "warning" }] });
  });

  it("refuses an id that no path can name, also in a dry run", async () => {
    const ports = testPorts();
    for (const dryRun of [false, true])
      expect(
        await createPolicy(ports, OPERATOR, yaml({ id: "refunds/.." }), { strict: false, dryRun }),
      ).toMatchObject({
        kind: "problem",
        problem: { code: "invalid_policy", errors: [{ pointer: "/id", found: '"refunds/.."' }] },
      });
    expect(ports.database.auditRows).toEqual([]);
  });

  it("E24: does not repeat a secret of the line that it refuses", async () => {
    const source = "id: p\nkey: AKIAZ7QWERTYUIOPASDF\n";
    const outcome = await createPolicy(testPorts(), OPERATOR, { source, mediaType: "application/yaml" });
    expect(outcome).toMatchObject({
      kind: "problem",
      problem: { errors: [{ code: "policy/unknown-key", excerpt: "key: [masked:secret.aws_key]" }] },
    });
  });

  it("K3: leaves the same id to every other organization", async () => {
    const ports = testPorts();
    expect(await createPolicy(ports, OPERATOR, yaml())).toMatchObject({ kind: "created" });
    expect(await createPolicy(ports, STRANGER, yaml())).toMatchObject({ kind: "created" });
  });

  it("says so when no gateway acknowledges", async () => {
    const ports = testPorts();
    ports.propagation.before = () => Promise.reject(new Error("cut"));
    const outcome = await createPolicy(ports, OPERATOR, yaml());
    expect(outcome).toMatchObject({
      kind: "created",
      acknowledgements: { gateways: [], note: expect.stringContaining("any gateway") },
    });
  });
});

describe("a document that is refused", () => {
  // proves POL-03
  it("comes back with one entry per finding, each with its place and a fix", async () => {
    const ports = testPorts();
    const outcome = await createPolicy(ports, OPERATOR, yaml({ fail_closed: "maybe", colour: "red" }));
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "invalid_policy" } });
    const errors = outcome.kind === "problem" ? (outcome.problem.errors ?? []) : [];
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(["/colour", "/fail_closed"]);
    for (const entry of errors) {
      for (const text of ["code", "expected", "found", "excerpt", "message", "fix"]) {
        expect(entry[text]).toBeTypeOf("string");
      }
      expect([entry["line"], entry["column"]]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(entry).toHaveProperty("related");
      expect(entry).toHaveProperty("witness");
      expect(entry).not.toHaveProperty("file");
    }
    expect([ports.database.policies, ports.database.auditRows]).toEqual([[], []]);
  });

  it.each([
    ["one word", "a".repeat(MAX_POLICY_BYTES)],
    ["one key", `a: b${"c".repeat(MAX_POLICY_BYTES - 4)}`],
    ["many colons", "a:".repeat(MAX_POLICY_BYTES / 2)],
  ])("as one line of %s is refused in linear time", async (_name, source) => {
    const refused = { kind: "invalid", diagnostics: [] } as const;
    const ports = { ...testPorts(), documents: { check: async () => refused } };
    const before = process.threadCpuUsage();
    const outcome = await createPolicy(ports, OPERATOR, { source, mediaType: "application/yaml" });
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "invalid_policy" } });
    const { user } = process.threadCpuUsage(before);
    expect(user, "microseconds").toBeLessThan(1_000_000);
  });

  it.each([
    ["id: p tools:", "policy/lines-lost"],
    ["id: p tools: x", "policy/lines-lost"],
    ["note: p", "policy/missing-key"],
    ["{id: p tools: x}", "policy/syntax"],
    ["note: {id: p tools: x}", "policy/lines-lost"],
  ])("%j is refused with %s", async (source, code) => {
    const outcome = await createPolicy(testPorts(), OPERATOR, { source, mediaType: "application/yaml" });
    const errors = outcome.kind === "problem" ? (outcome.problem.errors ?? []) : [];
    expect(errors.map((entry) => entry["code"])).toContain(code);
  });

  it.each([
    ["YAML under the name of JSON", "id: p\n"],
    ["a repeated key", '{"id": "p", "id": "q"}'],
    ["something behind the document", '{"id": "p"} {}'],
  ])("%s is not strict JSON", async (_name, source) => {
    const outcome = await createPolicy(testPorts(), OPERATOR, { source, mediaType: "application/json" });
    expect(outcome).toMatchObject({
      problem: { code: "malformed_json", errors: [{ line: 1, expected: expect.any(String) }] },
    });
  });
});

describe("a policy that cannot be created", () => {
  it.each([
    [
      "its id is taken",
      yaml({ agent_id: "a-2" }),
      { code: "conflict", detail: expect.stringContaining("refunds") },
    ],
    [
      "its agent has a policy",
      yaml({ id: "other" }),
      { code: "agent_already_bound", detail: expect.stringMatching(/a-1.*refunds.*asg_1/) },
    ],
    ["there are too many", yaml({ id: "third", agent_id: "a-3" }), { code: "limit_reached" }],
  ])("because %s leaves nothing behind", async (_name, text, problem) => {
    const ports = testPorts();
    await createPolicy(ports, OPERATOR, yaml());
    ports.database.limits.policies = problem.code === "limit_reached" ? 1 : 10;
    expect(await createPolicy(ports, OPERATOR, text)).toMatchObject({ kind: "problem", problem });
    expect(ports.database.policies).toHaveLength(1);
    expect(ports.database.auditRows).toHaveLength(2);
  });
});

describe("a document that could not be checked", () => {
  it("is not stored, and the answer does not call it invalid", async () => {
    const ports = testPorts();
    const documents = { check: () => Promise.reject(new Error("the thread was lost")) };
    const outcome = await createPolicy({ ...ports, documents }, OPERATOR, yaml());
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "compiler_unavailable" } });
    expect([ports.database.policies, ports.database.auditRows]).toEqual([[], []]);
    expect(ports.logged).toEqual(["a policy document could not be checked"]);
  });
});
