// long: it loads large policies while calls go on
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { type Answer, createPolicy, execute, send } from "../../support/server/api.ts";
import { activate } from "../../support/server/kill-switches.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const RULES = 1_000;

/** Policies of the start, as count: enough that calls meet a start that still compiles them. */
const POLICIES = 300;

/** A document that takes long to read. */
function largePolicy(tool: string, agentId = "agent-1"): string {
  const rule = (at: number): unknown => ({
    id: `r${String(at)}`,
    priority: at,
    action: "deny",
    match: {
      tool: `t${String(at)}.*`,
      all: [
        { field: "args.amount", operator: ">", value: at },
        { field: "args.name", operator: "matches", value: `^[a-z]{1,${String((at % 9) + 1)}}$` },
      ],
    },
  });
  const rules = Array.from({ length: RULES }, (_, at) => `  - ${JSON.stringify(rule(at))}`);
  return `id: large\nagent_id: ${agentId}\ntools: { allowed: [${tool}] }\nrules:\n${rules.join("\n")}\n`;
}

const update = (url: string, yaml: string): Promise<Answer> =>
  send("PUT", `${url}/api/v1/policies/large`, {
    body: yaml,
    headers: { "content-type": "application/yaml" },
  });

/** The decision, the version that decided, and the code of a refusal. */
const judged = ({ body }: Answer): readonly unknown[] => [
  body["decision"],
  body["policy_version"],
  body["reason_code"],
];

// proves POL-57, POL-58, POL-61
describe("while a policy of 1,000 rules is read", () => {
  it("the version before governs, a kill switch acts at once, and an answer means in force", async () => {
    const { url } = await serverOfTest();
    await createPolicy(url, largePolicy("a"));
    let isAnswered = false;
    const updated = update(url, largePolicy("b")).finally(() => {
      isAnswered = true;
    });
    const during: Answer[] = [];
    while (!isAnswered && during.length < 20) during.push(await execute(url, { tool: "a" }));
    const switched = await activate(url, { scope: "agent", target_id: "agent-2" });
    expect(switched.status).toBe(201);
    expect((await execute(url, { agent_id: "agent-2" })).body).toMatchObject({ reason_code: "kill_switch" });
    const { status, body } = await updated;
    expect([status, body["version"], body["note"]]).toEqual([200, 2, undefined]);
    expect(judged(await execute(url, { tool: "b" }))).toEqual(["allow", 2, undefined]);
    expect(judged(await execute(url, { tool: "a" }))).toEqual(["deny", 2, "not_allowed"]);
    expect(during.length).toBeGreaterThan(0);
    for (const answer of during) {
      expect([
        ["allow", 1, undefined],
        ["deny", 2, "not_allowed"],
      ]).toContainEqual(judged(answer));
    }
  });
});

// proves POL-57, OPS-06
describe("a start with many policies", () => {
  it("denies until a policy is compiled, kill switches included, and says when it is ready", async () => {
    const dataDir = await temporaryDirectory();
    const first = await serverOfTest({ dataDir });
    const agents = Array.from({ length: POLICIES }, (_, at) => `agent-${String(at)}`);
    for (const agent of agents)
      await createPolicy(first.url, `id: p-${agent}\nagent_id: ${agent}\ntools: { allowed: [a] }\n`);
    await activate(first.url, { scope: "agent", target_id: "agent-0" });
    await first.stop();

    const { url } = await serverOfTest({ dataDir, until: "listening" });
    const killed = await execute(url, { agent_id: "agent-0", tool: "a" });
    const early = await Promise.all(
      agents.slice(1, 50).map((agent_id) => execute(url, { agent_id, tool: "a" })),
    );
    expect(killed.body).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
    for (const { body } of early) {
      if (body["decision"] === "allow") continue;
      expect(body).toMatchObject({ decision: "deny", reason_code: "policy_loading", fail_closed: true });
    }
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
    const late = await Promise.all(agents.slice(1).map((agent_id) => execute(url, { agent_id, tool: "a" })));
    expect(late.filter(({ body }) => body["decision"] !== "allow")).toEqual([]);
  });
});
