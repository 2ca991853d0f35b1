import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, createPolicy, execute, send } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { fetchWithKey } from "../../support/server/role-keys.ts";
import { type ServerProcess, startServer } from "../../support/server/server-process.ts";

const YAML = { "content-type": "application/yaml" };
const CANARY = "AKIAZ7QWERTYUIOPASDF";

let server: ServerProcess;
let agent: string;
let policy: string;
let count = 0;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

beforeEach(() => {
  count += 1;
  agent = `agent-${String(count)}`;
  policy = `policy-${String(count)}`;
});

const document = (tools: string, id = policy, agentId = agent): string =>
  `id: ${id}\nagent_id: ${agentId}\ntools: { allowed: [${tools}] }\n`;

const api = (method: string, path: string, sent: Parameters<typeof send>[2] = {}): Promise<Answer> =>
  send(method, `${server.url}/api/v1/${path}`, sent);

const update = (yaml: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api("PUT", `policies/${policy}`, { body: yaml, headers: { ...YAML, ...headers } });

const assign = (body: Record<string, string>): Promise<Answer> => api("POST", "policy-assignments", { body });

/** What the agent may do now: the decision on each tool, and the version that decided. */
async function decisions(...tools: string[]): Promise<readonly unknown[]> {
  const answers = await Promise.all(tools.map((tool) => execute(server.url, { agent_id: agent, tool })));
  return answers.map(({ body }) => [body["decision"], body["policy_version"]]);
}

describe("a policy", () => {
  // proves POL-02, POL-05, VER-01, VER-04, VER-06, POL-09
  it("decides the very next call, in every version, which can all be read as they were", async () => {
    const created = await createPolicy(server.url, document("a"));
    expect([created.status, created.headers["etag"]]).toEqual([201, '"1"']);
    expect(await decisions("a", "b")).toEqual([
      ["allow", 1],
      ["deny", 1],
    ]);
    for (let version = 2; version <= 20; version += 1) {
      const [allowed, denied] = version % 2 === 0 ? ["b", "a"] : ["a", "b"];
      const updated = await update(document(allowed ?? ""), { "if-match": `"${String(version - 1)}"` });
      expect([updated.status, updated.body["version"]]).toEqual([200, version]);
      expect(await decisions(allowed ?? "", denied ?? "")).toEqual([
        ["allow", version],
        ["deny", version],
      ]);
    }
    const { body } = await api("GET", `policies/${policy}/versions?limit=200`);
    const versions = body["versions"] as { version: number }[];
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: 20 }, (_, index) => 20 - index),
    );
    expect((await api("GET", `policies/${policy}/versions/2`)).body["document"]).toEqual({
      id: policy,
      agent_id: agent,
      tools: { allowed: ["b"] },
    });
  });

  // proves POL-02
  it("is accepted as JSON too, and returned in the requested form", async () => {
    const json = { id: policy, agent_id: agent, tools: { allowed: ["a"] } };
    expect((await api("POST", "policies", { body: json })).status).toBe(201);
    expect(await decisions("a")).toEqual([["allow", 1]]);
    const asJson = await api("GET", `policies/${policy}`);
    expect(asJson.body).toMatchObject({ id: policy, version: 1, document: json });
    await update(`# a comment stays\n${document("a")}`);
    const headers = { accept: "application/yaml" };
    const asYaml = await fetchWithKey(`${server.url}/v1/policies/${policy}`, { headers });
    expect(await asYaml.text()).toBe(`# a comment stays\n${document("a")}`);
  });

  // proves VER-05
  it("is not overwritten by a client that has read an older version", async () => {
    await createPolicy(server.url, document("a"));
    const writers = Array.from({ length: 10 }, (_, index) =>
      update(document(`tool-${String(index)}`), { "if-match": '"1"' }),
    );
    const statuses = (await Promise.all(writers)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 412),
    ]);
    expect((await api("GET", `policies/${policy}`)).body["version"]).toBe(2);
  });

  // proves VER-02, VER-03, AUD-17
  it("is rolled back as a new version with the old content, at once, with an audit row", async () => {
    await createPolicy(server.url, document("a"));
    await update(document("b"));
    const outdated = { body: { target_version: 1 }, headers: { "if-match": '"1"' } };
    expect((await api("POST", `policies/${policy}/rollback`, outdated)).status).toBe(412);
    const rolledBack = await api("POST", `policies/${policy}/rollback`, { body: { target_version: 1 } });
    expect(rolledBack.status).toBe(200);
    expect(rolledBack.body).toMatchObject({
      version: 3,
      rolled_back_to: 1,
      document: { tools: { allowed: ["a"] } },
    });
    expect(await decisions("a", "b")).toEqual([
      ["allow", 3],
      ["deny", 3],
    ]);
    for (const target_version of [4, 0, -1, 1.5, "1"]) {
      const refused = await api("POST", `policies/${policy}/rollback`, { body: { target_version } });
      expect([target_version, [400, 404].includes(refused.status)]).toEqual([target_version, true]);
    }
    const rows = (await checkedExport(server.url))
      .map(({ row }) => row)
      .filter(
        (row) => row["kind"] === "policy" && row["policy_id"] === policy && row["document_digest"] !== null,
      );
    expect(rows.map((row) => [row["action"], row["policy_version"], row["rolled_back_to"]])).toEqual([
      ["created", 1, null],
      ["updated", 2, null],
      ["rolled_back", 3, 1],
    ]);
    expect(rows[2]?.["document_digest"]).toBe(rows[0]?.["document_digest"]);
  });

  // proves POL-33, POL-40, POL-44
  it("with warnings says so first, and is refused with strict=true", async () => {
    const contradiction = `${document("a")}rules:
  - { id: one, priority: 1, match: { tool: a }, action: deny }
  - { id: two, priority: 1, match: { tool: a }, action: allow }
`;
    const dryRun = await api("POST", "policies?dry_run=true", { body: contradiction, headers: YAML });
    expect([dryRun.status, Object.keys(dryRun.body)[0]]).toEqual([200, "warnings"]);
    expect((await api("GET", `policies/${policy}`)).status).toBe(404);
    const strict = await api("POST", "policies?strict=true", { body: contradiction, headers: YAML });
    expect([strict.status, strict.body["code"]]).toEqual([422, "invalid_policy"]);
    const loaded = await createPolicy(server.url, contradiction);
    expect([loaded.status, Object.keys(loaded.body)[0]]).toEqual([201, "warnings"]);
    expect(loaded.body["warnings"]).not.toEqual([]);
    expect(await decisions("a")).toEqual([["deny", 1]]);
    const rows = (await checkedExport(server.url)).map(({ row }) => row);
    expect(rows.filter((row) => row["policy_id"] === policy && row["kind"] === "policy")).toHaveLength(2);
  });

  // proves POL-04
  it("keeps its id through an update", async () => {
    await createPolicy(server.url, document("a"));
    const renamed = await update(document("b", `${policy}-renamed`));
    expect(renamed.status).toBe(422);
    expect(await decisions("a")).toEqual([["allow", 1]]);
  });
});

describe("a broken document", () => {
  const broken = [
    {
      name: "an unknown key",
      text: "tools:\n  allowd: [x]\n",
      line: 4,
      column: 3,
      fix: "did you mean allowed?",
    },
    {
      name: "an unknown mode",
      text: "governance_mode: enforcment\n",
      line: 3,
      column: 18,
      fix: "enforcement",
    },
    { name: "no YAML", text: "tools: { allowed: [x }\n", line: 3, column: 19, fix: "add ]" },
    { name: "a key twice", text: "name: a\nname: b\n", line: 4, column: 1, fix: "" },
    { name: "a second document", text: "---\nid: other\n", line: 3, column: 1, fix: "" },
    { name: "a word for a boolean", text: "fail_closed: 'false'\n", line: 3, column: 14, fix: "" },
    { name: "a tag", text: "name: !!js/function 'x'\n", line: 3, column: 21, fix: "remove the tag" },
    { name: "a negative ceiling", text: "session: { max_steps: -1 }\n", line: 3, column: 23, fix: "" },
  ];

  // proves POL-01, POL-03, POL-31
  it.each(broken)("is refused at its place with what to do, and changes nothing: $name", async (sample) => {
    const { text, line, column, fix } = sample;
    const refused = await createPolicy(server.url, `id: ${policy}\nagent_id: ${agent}\n${text}`);
    expect(refused.status).toBe(422);
    expect(refused.headers["content-type"]).toBe("application/problem+json");
    const errors = refused.body["errors"] as Record<string, unknown>[];
    expect(errors[0]).toMatchObject({
      code: expect.stringMatching(/^policy\//),
      line,
      column,
      expected: expect.any(String),
      found: expect.any(String),
      fix: expect.stringContaining(fix),
    });
    expect((await api("GET", `policies/${policy}`)).status).toBe(404);
  });

  it("does not replace what is in force", async () => {
    await createPolicy(server.url, document("a"));
    expect((await update(`${document("b")}unknown: 1\n`)).status).toBe(422);
    expect(await decisions("a")).toEqual([["allow", 1]]);
  });

  it("E24, K2: does not have its secrets repeated in the answer", async () => {
    const text = `${document("a")}name: ${CANARY}\nkey: ${CANARY}\n`;
    const refused = await createPolicy(server.url, text);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).not.toContain(CANARY);
    expect(server.output()).not.toContain(CANARY);
  });
});

describe("a binding", () => {
  // proves POL-05
  it("E19: of a second policy to an agent is refused on every route", async () => {
    await createPolicy(server.url, document("a"));
    const second = await createPolicy(server.url, document("b", `${policy}-second`));
    expect([second.status, second.body["code"]]).toEqual([409, "agent_already_bound"]);
    expect((await api("GET", `policies/${policy}-second`)).status).toBe(404);
    expect((await createPolicy(server.url, `id: ${policy}-third\ntools: { allowed: [b] }\n`)).status).toBe(
      201,
    );
    expect((await assign({ policy_id: `${policy}-third`, agent_id: agent })).status).toBe(409);
    expect(await decisions("a", "b")).toEqual([
      ["allow", 1],
      ["deny", 1],
    ]);
  });

  // proves POL-38, POL-39
  it("survives updates and rollbacks: its agent never falls back to that of its namespace", async () => {
    const namespace = `ns-${String(count)}`;
    const drop = async () =>
      (await execute(server.url, { agent_id: agent, namespace, tool: "db.drop" })).body;
    await createPolicy(server.url, `id: ${policy}-lax\ntools: { allowed: ["*"] }\n`);
    await assign({ policy_id: `${policy}-lax`, namespace_id: namespace });
    await createPolicy(server.url, document("safe"));
    const strict = { decision: "deny", policy_id: policy };
    expect(await drop()).toMatchObject(strict);

    expect((await update(`id: ${policy}\ntools: { allowed: [safe] }\n`)).status).toBe(200);
    expect(await drop()).toMatchObject({ ...strict, policy_version: 2 });
    const moved = await update(document("safe", policy, `${agent}-other`));
    expect([moved.status, moved.body["detail"]]).toEqual([
      409,
      expect.stringContaining("POST policy-assignments"),
    ]);
    expect(await drop()).toMatchObject({ ...strict, policy_version: 2 });
    await api("POST", `policies/${policy}/rollback`, { body: { target_version: 1 } });
    expect(await drop()).toMatchObject({ ...strict, policy_version: 3 });

    const rows = (await checkedExport(server.url)).map(({ row }) => row);
    const changes = rows.filter((row) => row["kind"] === "policy" && row["policy_id"] === policy);
    expect(changes.map((row) => row["action"])).toEqual(["created", "assigned", "updated", "rolled_back"]);
  });

  // proves POL-06, EXEC-21
  it("E19: of the agent precedes that of its namespace, and without either calls are denied", async () => {
    const namespace = `ns-${String(count)}`;
    const inNamespace = (tool: string) => execute(server.url, { agent_id: agent, namespace, tool });
    expect((await inNamespace("a")).body).toMatchObject({ decision: "deny", reason_code: "no_policy" });
    await createPolicy(server.url, `id: ${policy}\ntools: { allowed: [a] }\n`);
    expect((await assign({ policy_id: policy, namespace_id: namespace })).status).toBe(201);
    expect((await inNamespace("a")).body["decision"]).toBe("allow");
    await createPolicy(server.url, `id: ${policy}-own\ntools: { allowed: [b] }\n`);
    const own = await assign({ policy_id: `${policy}-own`, agent_id: agent });
    expect((await inNamespace("a")).body["decision"]).toBe("deny");
    expect((await inNamespace("b")).body["decision"]).toBe("allow");
    expect((await api("DELETE", `policy-assignments/${String(own.body["id"])}`)).status).toBe(200);
    expect((await inNamespace("a")).body["decision"]).toBe("allow");
  });

  const ownerless = [
    { name: "an unknown policy", body: { policy_id: "nowhere", agent_id: "x" }, status: 404 },
    { name: "neither agent nor namespace", body: { policy_id: "nowhere" }, status: 400 },
    {
      name: "agent and namespace",
      body: { policy_id: "nowhere", agent_id: "x", namespace_id: "y" },
      status: 400,
    },
  ];
  it.each(ownerless)("E19: to $name is refused", async ({ body, status }) => {
    expect((await assign(body)).status).toBe(status);
  });
});

// proves EXEC-05
it("E24: the answer to a denied call shows neither conditions nor patterns of the policy", async () => {
  const yaml = `${document("payments.*, hidden-tool-pattern.*")}rules:
  - id: ceiling
    priority: 1
    match: { tool: payments.refund, condition: { field: args.hidden_field, operator: ">", value: 918273 } }
    action: deny
`;
  expect((await createPolicy(server.url, yaml)).status).toBe(201);
  const args = { hidden_field: 918_274 };
  const denied = [
    await execute(server.url, { agent_id: agent, tool: "payments.refund", args }),
    await execute(server.url, { agent_id: agent, tool: "other.tool", args: { key: CANARY } }),
  ];
  expect(denied.map(({ body }) => body["reason_code"])).toEqual(["rule", "not_allowed"]);
  for (const { body } of denied) {
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`hidden|918273|${CANARY}`));
  }
});

const inNeedOf = (match: string): string => `${document("payments.refund")}rules:
  - id: stop
    priority: 1
    match: ${match}
    action: deny
`;

// proves POL-18, POL-20
it.each([
  { list: "all", args: { a: 1, b: 1 }, decision: "deny" },
  { list: "all", args: { a: 1, b: 0 }, decision: "allow" },
  { list: "any", args: { a: 1, b: 0 }, decision: "deny" },
  { list: "any", args: { a: 0, b: 0 }, decision: "allow" },
])("match.$list of two conditions on $args: $decision", async ({ list, args, decision }) => {
  const conditions = ["a", "b"].map((name) => `{ field: args.${name}, operator: "==", value: 1 }`).join(", ");
  const yaml = inNeedOf(`{ tool: payments.refund, ${list}: [${conditions}] }`);
  expect((await createPolicy(server.url, yaml)).status).toBe(201);
  const answer = await execute(server.url, { agent_id: agent, args });
  expect(answer.body["decision"]).toBe(decision);
});

// proves POL-28
it.each(["(a+)+$", "(a|aa)+$", "(.*a){25}$", "^(([a-z])+.)+[A-Z]([a-z])+$"])(
  "R2: the expression %s takes bounded time on a long text",
  async (expression) => {
    const condition = `{ field: args.text, operator: matches, value: '${expression}' }`;
    const yaml = inNeedOf(`{ tool: payments.refund, condition: ${condition} }`);
    expect((await createPolicy(server.url, yaml)).status).toBe(201);
    const args = { text: `${"a".repeat(100_000)}!` };
    expect((await execute(server.url, { agent_id: agent, args })).body["decision"]).toBe("allow");
  },
);
