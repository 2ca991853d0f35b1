import type { Explanation, SimulatedVerdict } from "@svc/contract/policy-explanation";
import type { SimulationOrder, SimulationReply } from "@svc/policy-analysis/simulation-exchange";
import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { Simulator } from "./simulator.ts";

const DOCUMENT = "id: p\ntools: {allowed: [pay.*]}\nsession: {max_steps: 3}\n";
const CALL = { agent_id: "a", session_id: "s", tool: "pay.x", args: { amount: 5 } };

const bytesOf = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));

function simulate(
  body: unknown,
  known: Partial<SimulationOrder> = {},
  now = () => 0,
): Promise<SimulationReply> {
  const simulation = { body: bytesOf(body), stored: null, timeMs: 0, switches: [], ...known };
  return new Simulator(now, null).simulate(simulation);
}

interface Answer {
  readonly policy_id: string;
  readonly policy_version: number | null;
  readonly results: readonly { readonly verdict: SimulatedVerdict; readonly explanation: Explanation }[];
}

function results(reply: SimulationReply): Answer {
  if (reply.kind !== "simulated") throw new Error(JSON.stringify(reply));
  return JSON.parse(reply.text) as Answer;
}

describe("a simulation", () => {
  // proves POL-65
  it("answers each call under the document of the request", async () => {
    const calls = [CALL, { ...CALL, tool: "x" }, { ...CALL, session: { steps: 3, cost_usd: "0.5" } }];
    const {
      policy_id,
      policy_version,
      results: all,
    } = results(await simulate({ document: DOCUMENT, calls }));
    expect([policy_id, policy_version]).toEqual(["p", null]);
    expect(all.map(({ verdict }) => [verdict.decision, verdict.reason_code])).toEqual([
      ["allow", null],
      ["deny", "not_allowed"],
      ["deny", "max_steps"],
    ]);
    expect(all[2]?.explanation.ceilings.max_steps).toMatchObject({ used: "3", exceeded: true });
    expect(all[0]?.explanation.kill_switches).toEqual({
      checked: ["account", "namespace default", "agent a", "session s", "tool pay.x"],
      matched: null,
    });
  });

  it.each([
    ["a text of JSON", '{"id": "p", "tools": {"allowed": ["pay.*"]}}'],
    ["an object", { id: "p", tools: { allowed: ["pay.*"] } }],
  ])("takes a document as %s", async (_name, document) => {
    expect(results(await simulate({ document, calls: [CALL] })).results[0]?.verdict.decision).toBe("allow");
  });

  // proves POL-65
  it("takes a stored version, and says what it needs from the store", async () => {
    const body = { policy_id: "p", version: 4, calls: [CALL, { ...CALL, session_id: "t" }] };
    expect(new Simulator(() => 0, null).read(bytesOf(body))).toEqual({
      kind: "needs",
      policy: { id: "p", version: 4 },
      guardrails: false,
      targets: [
        { scope: "namespace", id: "default" },
        { scope: "agent", id: "a" },
        { scope: "session", id: "s" },
        { scope: "tool", id: "pay.x" },
        { scope: "session", id: "t" },
      ],
    });
    const stored = { source: DOCUMENT, mediaType: "application/yaml", version: 4 } as const;
    expect(results(await simulate(body, { stored }))).toMatchObject({ policy_id: "p", policy_version: 4 });
  });

  it.each([
    ["agent", "a", true],
    ["agent", "A", false],
    ["session", "s", true],
    ["tool", "pay.x", true],
    ["namespace", "default", true],
    ["namespace", "prod", false],
  ] as const)("is stopped by a switch on the %s %s: %s", async (scope, target_id, isStopped) => {
    const ks = { kill_switch_id: "ks_1", scope, target_id, account_wide: false, reason: "x" };
    const [first] = results(
      await simulate({ document: DOCUMENT, calls: [CALL] }, { switches: [ks] }),
    ).results;
    expect(first?.verdict.kill_switch_id).toBe(isStopped ? "ks_1" : null);
    expect(first?.verdict.decision).toBe(isStopped ? "deny" : "allow");
  });

  it("names the account-wide switch before a narrower one", async () => {
    const narrow = {
      kill_switch_id: "ks_1",
      scope: "agent",
      target_id: "a",
      account_wide: false,
      reason: "x",
    } as const;
    const wide = {
      kill_switch_id: "ks_2",
      scope: "global",
      target_id: null,
      account_wide: true,
      reason: "x",
    } as const;
    const [first] = results(
      await simulate({ document: DOCUMENT, calls: [CALL] }, { switches: [narrow, wide] }),
    ).results;
    expect(first?.explanation.kill_switches.matched).toEqual(wide);
  });

  it("is refused with the findings of its document", async () => {
    expect(await simulate({ document: "id: [", calls: [CALL] })).toMatchObject({
      kind: "document_refused",
      check: { kind: "invalid" },
    });
  });

  // proves POL-65
  it("is refused by name when it needs too much work", async () => {
    const rules = Array.from({ length: 1_000 }, (_, at) => ({
      id: `r${String(at)}`,
      match: { tool: `t${String(at)}` },
      action: "deny",
    }));
    const calls = Array.from({ length: 21 }, () => CALL);
    const many = { document: { id: "p", rules }, calls };
    expect(await simulate(many)).toMatchObject({
      problem: { code: "too_much_work", detail: expect.stringContaining("at most 20 calls") },
    });
    let now = 0;
    const late = await simulate({ document: DOCUMENT, calls }, {}, () => (now += 1_000));
    expect(late).toMatchObject({
      problem: { code: "too_much_work", detail: expect.stringMatching(/3,000 ms after 3 of 21/) },
    });
  });

  it.each<[string, JsonValue]>([
    ["/document", { calls: [CALL] }],
    ["/document", { document: DOCUMENT, policy_id: "p", calls: [CALL] }],
    ["/version", { document: DOCUMENT, version: 1, calls: [CALL] }],
    ["/document", { document: 5, calls: [CALL] }],
    ["/calls", { document: DOCUMENT }],
    ["/calls", { document: DOCUMENT, calls: [] }],
    ["/calls", { document: DOCUMENT, calls: Array.from({ length: 101 }, () => CALL) }],
    ["/calls/1/tool", { document: DOCUMENT, calls: [CALL, { agent_id: "a" }] }],
    ["/calls/0/toool", { document: DOCUMENT, calls: [{ ...CALL, toool: "x" }] }],
    ["/calls/0/session/steps", { document: DOCUMENT, calls: [{ ...CALL, session: { steps: -1 } }] }],
    ["/calls/0/session/cost_usd", { document: DOCUMENT, calls: [{ ...CALL, session: { cost_usd: "x" } }] }],
    ["/calls/0/session/step", { document: DOCUMENT, calls: [{ ...CALL, session: { step: 1 } }] }],
    ["/policy_id", { policy_id: "a b", calls: [CALL] }],
    ["/polcy_id", { polcy_id: "p", document: DOCUMENT, calls: [CALL] }],
  ])("is refused at %s", async (pointer, body) => {
    for (const reply of [await simulate(body), new Simulator(() => 0, null).read(bytesOf(body))]) {
      const problem = reply.kind === "problem" ? reply.problem : null;
      expect(problem?.errors?.map((entry) => entry.pointer)).toContain(pointer);
    }
  });

  it.each(['{"a":1,"a":2}', '{"__proto__":{}}', "not json", '{"calls":[{"args":{"constructor":1}}]}'])(
    "that is not strict JSON is refused: %s",
    async (text) => {
      const reply = new Simulator(() => 0, null).read(Buffer.from(text));
      expect(reply).toMatchObject({ problem: { code: "malformed_json" } });
    },
  );
});

describe("a simulation of a policy that reads the time", () => {
  const POLICY = {
    id: "p",
    rules: [
      {
        id: "soon",
        match: { condition: { field: "time", operator: "within", value: { after: "2030-01-01T00:00:00Z" } } },
        action: "allow",
      },
    ],
  };
  const decided = async (call: object, timeMs: number): Promise<string> => {
    const reply = await simulate({ document: POLICY, calls: [{ ...CALL, ...call }] }, { timeMs });
    return reply.kind === "simulated" ? reply.text : JSON.stringify(reply);
  };

  // proves POL-74
  it("takes the time of the call, else that of the request, and shows it", async () => {
    expect(await decided({}, Date.UTC(2029, 0))).toContain('"decision":"deny"');
    expect(await decided({}, Date.UTC(2031, 0))).toContain('"decision":"allow"');
    const text = await decided({ time: "2030-01-01T01:00:00+01:00" }, 0);
    expect(text).toContain('"decision":"allow"');
    expect(text).toContain('"found":"2030-01-01T00:00:00.000Z"');
    expect(text).toContain('"expected":{"after":"2030-01-01T00:00:00.000Z"}');
    expect(await decided({ time: "tomorrow" }, 0)).toContain("expected a time in RFC 3339");
  });
});
