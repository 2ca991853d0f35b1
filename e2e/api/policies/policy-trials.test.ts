// long: it starts several servers
import { describe, expect, it } from "vitest";
import { steadyLoad } from "../../support/requests/load.ts";
import { callOf, createPolicy, execute, send } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { activate } from "../../support/server/kill-switches.ts";
import { fetchWithKey } from "../../support/server/role-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";
import { SHOP_POLICY } from "../../support/server/shop-policy.ts";

const YAML = { "content-type": "application/yaml" };

const get = async (url: string, accept = "application/json") => {
  const answer = await fetchWithKey(url, { headers: { accept } });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
};

interface Result {
  readonly verdict: Readonly<Record<string, unknown>>;
  readonly explanation: Readonly<Record<string, unknown>>;
}

const simulate = (url: string, body: unknown) => send("POST", `${url}/api/v1/policies/simulate`, { body });

describe("a simulation", () => {
  // proves POL-65, POL-67
  it("answers what the gateway then answers, writes no row and charges nothing", async () => {
    const { url } = await serverOfTest();
    await createPolicy(url, SHOP_POLICY);
    await activate(url, { scope: "tool", target_id: "mail.stopped" });
    const calls = [
      callOf({ args: { amount: 900 } }),
      callOf({ args: { amount: 1, card: "4111111111111111" } }),
      callOf({ tool: "payments.never" }),
      callOf({ tool: "mail.send" }),
      callOf({ tool: "mail.stopped" }),
      callOf({ tool: "db.drop" }),
      { agent_id: "agent-1", tool: "payments.refund" },
      callOf({ args: { amount: "many" } }),
    ];
    const before = await checkedExport(url);
    for (let time = 0; time < 5; time += 1) await simulate(url, { policy_id: "refunds", calls });
    const { status, body } = await simulate(url, { policy_id: "refunds", calls });
    expect([status, body["policy_version"]]).toEqual([200, 1]);
    const results = body["results"] as Result[];
    expect(await checkedExport(url)).toHaveLength(before.length);
    for (const [at, call] of calls.entries()) {
      const { body: real } = await execute(url, { session_id: undefined, args: undefined, ...call });
      const { verdict } = results[at] as Result;
      expect([at, verdict["decision"], verdict["reason"], verdict["rule_id"] ?? undefined]).toEqual([
        at,
        real["decision"],
        real["reason"] ?? null,
        real["rule_id"],
      ]);
      expect(verdict["shaped_args"] ?? undefined).toEqual(real["shaped_args"]);
      expect(verdict["reason_code"] ?? undefined).toBe(real["reason_code"]);
    }
    // The session allowed one call above: nothing was charged for the simulations.
    expect((await execute(url)).body["decision"]).toBe("allow");
    expect((await execute(url)).body["reason_code"]).toBe("max_steps");
    const used = { policy_id: "refunds", calls: [{ ...callOf(), session: { steps: 2 } }] };
    const [last] = (await simulate(url, used)).body["results"] as Result[];
    expect(last?.verdict["reason_code"]).toBe("max_steps");
  });

  // proves POL-65
  it("and a validation of the worst document hold up no call", { timeout: 60_000 }, async () => {
    const { url } = await serverOfTest();
    await createPolicy(url, "id: p\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\n");
    const manyGlobs = Array.from({ length: 9_000 }, (_, at) => `"tool${String(at)}.*.x"`);
    const hostile = [
      `id: p\nrules: [${"{a: [".repeat(60)}`.padEnd(250_000, "x"),
      `id: p\n${"k: v\n".repeat(40_000)}`,
      "a".repeat(250_000),
      `id: q\ntools: {allowed: [${manyGlobs.join(",")}]}`,
    ];
    const load = steadyLoad(url, 1);
    for (const document of hostile) {
      const checked = await send("POST", `${url}/api/v1/policies/validate`, {
        body: document,
        headers: YAML,
      });
      // A busy machine may give a document up, and says so.
      if (checked.status === 200) expect(checked.body).toMatchObject({ valid: false });
      else expect(checked.body["code"]).toBe("compiler_unavailable");
      const tried = await simulate(url, { document, calls: [callOf()] });
      expect([422, 503]).toContain(tried.status);
    }
    const nested = JSON.stringify({
      document: SHOP_POLICY,
      calls: Array.from({ length: 100 }, () => callOf()),
    });
    expect([200, 503]).toContain((await simulate(url, nested.padEnd(1_000_000, " "))).status);
    const answers = await load.stop();
    expect(load.failures).toEqual([]);
    expect(answers.filter(({ body }) => body["decision"] !== "allow")).toEqual([]);
    // The serving thread answered others between the documents.
    expect(answers.length).toBeGreaterThan(hostile.length);
  });
});

describe("two versions", () => {
  // proves POL-63, POL-02
  it("are compared by meaning, and come back byte for byte", async () => {
    const { url } = await serverOfTest();
    await createPolicy(url, SHOP_POLICY);
    const update = (yaml: string) =>
      send("PUT", `${url}/api/v1/policies/refunds`, { body: yaml, headers: YAML });
    await update(SHOP_POLICY.replace("# refunds of the shop", "# the shop\n"));
    await update(SHOP_POLICY.replace("value: 500", "value: 50").replace("'mail.*'", "'post.*'"));
    const diff = async (query: string, accept?: string) =>
      get(`${url}/api/v1/policies/refunds/diff${query}`, accept);
    expect(JSON.parse((await diff("?from=1&to=2")).text)).toEqual({
      policy_id: "refunds",
      from: 1,
      to: 2,
      identical: false,
      text_only: true,
      changes: [],
    });
    expect(JSON.parse((await diff("")).text)).toMatchObject({
      from: 2,
      to: 3,
      text_only: false,
      changes: [
        { kind: "removed", section: "tools", path: "/tools/allowed", before: "mail.*", after: null },
        { kind: "added", path: "/tools/allowed", after: "post.*" },
        {
          kind: "changed",
          section: "rule",
          path: "/rules/big/match/condition/value",
          before: 500,
          after: 50,
        },
      ],
    });
    const lines = await diff("?from=3&to=1", "text/plain");
    expect([lines.type, lines.text.split("\n")[2]]).toEqual([
      "text/plain; charset=utf-8",
      "~ /rules/big/match/condition/value: 50 -> 500",
    ]);
    expect((await diff("?from=1&to=9")).status).toBe(404);
    expect((await diff("?to=1")).status).toBe(400);
    expect((await diff("?from=0")).status).toBe(400);
    const yaml = await get(`${url}/api/v1/policies/refunds/versions/1`, "text/html, application/yaml;q=0.8");
    expect([yaml.type, yaml.text]).toEqual(["application/yaml", SHOP_POLICY]);
  });
});

describe("a validation", () => {
  // proves POL-33
  it("reports every finding as JSON or as text, and stores nothing", async () => {
    const { url } = await serverOfTest();
    const validate = (body: string, headers: Record<string, string>) =>
      fetchWithKey(`${url}/api/v1/policies/validate`, { method: "POST", body, headers });
    const bad = await validate("id: p\ncolour: red\nfail_closed: maybe\n", YAML);
    const found = (await bad.json()) as { valid: boolean; diagnostics: { code: string }[] };
    expect([bad.status, found.valid, found.diagnostics.map(({ code }) => code).toSorted()]).toEqual([
      200,
      false,
      ["policy/unknown-key", "policy/wrong-type"],
    ]);
    const warned = await validate("id: p\ntools: {allowed: [x], denied: [x]}\n", YAML);
    expect(await warned.json()).toMatchObject({ valid: true, diagnostics: [{ severity: "warning" }] });
    const text = await validate("id: p\ncolour: red\n", { ...YAML, accept: "text/plain" });
    expect(await text.text()).toMatch(/colour[^]*Invalid: 1 error\.\n$/);
    const json = await validate('{"id":"p","id":"q"}', { "content-type": "application/json" });
    expect(await json.json()).toMatchObject({ valid: false, diagnostics: [{ code: "policy/syntax" }] });
    expect((await get(`${url}/api/v1/policies?archived=all`)).text).toContain('"policies":[]');
  });

  // proves POL-84, POL-86
  it("shows a call that slips through, which a simulation decides as the finding says", async () => {
    const { url } = await serverOfTest();
    const document = [
      "id: limits",
      "tools: {allowed: [pay]}",
      "rules:",
      "  - id: small",
      '    match: {tool: pay, condition: {field: args.amount, operator: "<=", value: 5}}',
      "    action: allow",
    ].join("\n");
    const checked = await send("POST", `${url}/api/v1/policies/validate`, { body: document, headers: YAML });
    expect(checked.body).toMatchObject({
      valid: true,
      diagnostics: [{ code: "policy/allow-without-effect", line: 4, column: 9 }],
    });
    const [{ witness }] = checked.body["diagnostics"] as [
      { witness: { call: Record<string, unknown>; decision: string } },
    ];
    const tried = await simulate(url, { document, calls: [witness.call] });
    expect(tried.body["results"]).toMatchObject([{ verdict: { decision: witness.decision } }]);

    const loaded = await send("POST", `${url}/api/v1/policies`, { body: document, headers: YAML });
    expect(loaded.body["warnings"]).toEqual(checked.body["diagnostics"]);
    const refused = await send("PUT", `${url}/api/v1/policies/limits?strict=true`, {
      body: document,
      headers: YAML,
    });
    expect(refused.status).toBe(422);
  });
});
