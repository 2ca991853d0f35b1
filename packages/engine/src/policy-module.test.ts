import { describe, expect, it } from "vitest";
import { compileAtOnce } from "./compile-document.ts";
import { decidingDocument, partsOf } from "./document-parts.ts";
import { NO_CONTEXT } from "./evaluation.ts";
import { evaluatorFactory, ModuleUnusable, RegoUnavailable } from "./evaluator-factory.ts";
import { evaluatorInput } from "./evaluator-input.ts";
import { prepareDocument } from "./prepare-document.ts";
import { readPolicy } from "./read-policy.ts";
import { callOf } from "./testing/compiled.suite.ts";
import { fakeModules } from "./testing/fake-modules.suite.ts";
import { noEvaluators } from "./testing/no-evaluators.ts";

const OWNER = { organization: "o", policyId: "p", version: 1 };

function documentOf(rego: unknown) {
  const source = JSON.stringify({ id: "p", tools: { allowed: ["*"] }, rego });
  const reading = readPolicy(source, { modules: "read" });
  if (!reading.ok) throw new Error(JSON.stringify(reading.diagnostics.map(({ code }) => code)));
  return reading.document;
}

function codesOf(rego: unknown): readonly string[] {
  const reading = readPolicy(JSON.stringify({ id: "p", rego }), { modules: "read" });
  return reading.ok ? [] : reading.diagnostics.map(({ code, pointer }) => `${pointer} ${code}`);
}

describe("the module of a document", () => {
  it.each([
    ["its text", "package a", { text: "package a", data: null, workflow: null }],
    ["a mapping", { module: "package a" }, { text: "package a", data: null, workflow: null }],
    [
      "with data that looks like a list of the policy",
      { module: "package a", data: { vendors: { list: "known" } }, workflow: "finance" },
      { text: "package a", data: { vendors: { list: "known" } }, workflow: "finance" },
    ],
  ])("is %s", (_, written, module) => {
    expect(documentOf(written).rego).toMatchObject(module);
    expect(partsOf(documentOf(written)).rego).toEqual(module);
    const json = JSON.stringify({ id: "p", rego: written });
    const prepared = [prepareDocument({ source: "", json }), prepareDocument({ source: json, json: null })];
    for (const one of prepared) expect(one).toMatchObject({ ok: true, parts: { rego: module } });
  });

  it.each([
    ["blank", " ", ["/rego policy/invalid-text"]],
    ["a number", 7, ["/rego policy/wrong-type"]],
    ["without text", { data: {} }, ["/rego policy/missing-key"]],
    ["with another key", { module: "package a", modul: "b" }, ["/rego/modul policy/unknown-key"]],
    ["with a list as data", { module: "package a", data: [1] }, ["/rego/data policy/wrong-type"]],
    [
      "with a workflow without a name",
      { module: "a", workflow: "a b" },
      ["/rego/workflow policy/invalid-identifier"],
    ],
  ])("is refused when it is %s", (_, written, codes) => {
    expect(codesOf(written)).toEqual(codes);
  });

  it.each([
    ["1e400", "YAML", "{floor: 1e400}", "data.floor"],
    ["infinity", "YAML", "{floor: -.inf}", "data.floor"],
    ["no number", "YAML", "{floor: .nan}", "data.floor"],
    ["a whole number that reading rounds", "YAML", "{a: [{b: 9007199254740993}]}", "data.a[0].b"],
    ["digits that reading drops", "YAML", '{"a b": 0.1234567890123456789}', 'data["a b"]'],
    ["1e400", "JSON", '{"floor": 1e400}', "data.floor"],
    ["a whole number that reading rounds", "JSON", '{"a": [1, 9007199254740993]}', "data.a[1]"],
  ])("is refused when its data has %s in %s", (_, form, data, path) => {
    const source =
      form === "YAML"
        ? `id: p\nrego: {module: package a, data: ${data}}`
        : `{"id": "p", "rego": {"module": "package a", "data": ${data}}}`;
    const reading = readPolicy(source, { modules: "read" });
    const found = reading.ok ? [] : reading.diagnostics;
    expect(found.map(({ code }) => code)).toEqual(["policy/invalid-number"]);
    expect(found[0]?.message).toContain(path);
    expect(prepareDocument({ source, json: null }).ok).toBe(false);
  });

  it("takes data with plain numbers, and digits in a text", () => {
    const data = { a: [1, -2.5, 9007199254740991, null, true], b: "9007199254740993", c: { d: "1e400" } };
    expect(documentOf({ module: "package a", data }).rego?.data).toEqual(data);
  });

  it.each([
    ["rego:deny", "package a", ["policy/duplicate-id"]],
    ["rego:require_approval", "package a", ["policy/duplicate-id"]],
    ["rego:other", "package a", []],
    ["rego:deny", null, []],
  ])("keeps the id %s for itself, with %s", (id, rego, codes) => {
    const rules = [{ id, match: { tool: "x" }, action: "deny" }];
    const document = { id: "p", rules, ...(rego === null ? {} : { rego }) };
    const reading = readPolicy(JSON.stringify(document), { modules: "read" });
    expect(reading.ok ? [] : reading.diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  it("is refused by name where nothing runs it", async () => {
    const reading = readPolicy(JSON.stringify({ id: "p", rego: "package a" }));
    expect(reading.ok ? [] : reading.diagnostics.map(({ code }) => code)).toEqual([
      "policy/rego-unavailable",
    ]);
    const { rego, ...rest } = decidingDocument(documentOf("package a"));
    expect(() => compileAtOnce({ ...rest, rego })).toThrow("rego_unavailable");
    if (rego === null) throw new Error("the document has a module");
    await expect(noEvaluators(rego, OWNER)).rejects.toThrow(RegoUnavailable);
  });

  it("says whether it never runs, or not now", async () => {
    const make = evaluatorFactory(fakeModules().runtime);
    const module = { data: null, workflow: null };
    await expect(make({ ...module, text: "broken" }, OWNER)).rejects.toThrow(ModuleUnusable);
    await expect(make({ ...module, text: "lost" }, OWNER)).rejects.not.toThrow(ModuleUnusable);
  });

  it("makes a policy give it the usage and the time, and need a session when it names one", async () => {
    const make = evaluatorFactory(fakeModules().runtime);
    for (const text of ["deny x no", "deny x input.session.steps"]) {
      const document = decidingDocument(documentOf(text));
      const evaluator = await make({ text, data: null, workflow: null }, OWNER);
      const policy = compileAtOnce(document, [evaluator]);
      expect(policy).toMatchObject({ needs: { usage: true, time: true } });
      const code = text.includes("session") ? "session_required" : null;
      expect(policy.evaluate(callOf("t", {}, { sessionId: null })).reasonCode).toBe(code);
    }
  });
});

describe("what a module says", () => {
  const OUT = { shapedArgs: null, costMicroUsd: 0 };
  const long = (at: number) => `${String(at)}${"x".repeat(900)}`;

  it.each([
    ["", { ...OUT, decision: "allow", reason: null, reasonCode: null, ruleId: null }],
    [
      "deny t no\nask t why\ndeny t never",
      { decision: "deny", reasonCode: "rego", reason: "no; never", ruleId: "rego:deny" },
    ],
    [
      "ask t who\nask t why",
      {
        decision: "pause",
        reasonCode: "approval_required",
        reason: "who; why",
        ruleId: "rego:require_approval",
        onApproval: { workflow: "finance", shapedArgs: null },
      },
    ],
    [
      "fail t late\ndeny t no",
      {
        decision: "deny",
        reasonCode: "rego",
        ruleId: null,
        reason: expect.stringContaining("rego_timeout: late"),
      },
    ],
    [
      [1, 2, 3].map((at) => `deny t ${long(at)}`).join("\n"),
      { reason: `${long(1)}; ${long(2)}; and 1 more`, rego: { deny: [long(1), long(2), long(3)] } },
    ],
  ])("%#", async (text, wanted) => {
    const make = evaluatorFactory(fakeModules().runtime);
    const evaluator = await make({ text, data: null, workflow: "finance" }, OWNER);
    expect(await evaluator.evaluate(evaluatorInput(callOf("t", {}, { sessionId: null })))).toMatchObject(
      wanted,
    );
  });
});

describe("the input of a module", () => {
  it("has what the call says, and its session only with what it has used", () => {
    const call = callOf("t", { b: 1, a: [2] }, { usage: { steps: 3, costMicroUsd: 1_250_000 } });
    expect(evaluatorInput(call)).toBe(
      '{"agent_id":"a","args":{"a":[2],"b":1},"namespace":"default","session":{"cost_usd":1.25,"steps":3},' +
        '"session_id":"s","time":"2026-06-01T12:00:00.000Z","tool":"t"}',
    );
    expect(JSON.parse(evaluatorInput({ ...call, sessionId: null }))).not.toHaveProperty("session");
    expect(() => evaluatorInput({ ...call, context: NO_CONTEXT })).toThrow("was not read");
  });
});
