import type { RouteDefinition } from "@svc/api/route";
import { ROUTES } from "@svc/api/route-table";
import { ROLES, type Role, scopesOf, scopesOfRoles } from "@svc/contract/role";
import { TOKEN_EXCHANGE_GRANT } from "@svc/contract/token-exchange";
import { findFreePort } from "@svc/process/free-port";
import { expect, it } from "vitest";
import { callOf, PAYMENTS_POLICY, send } from "../support/server/api.ts";
import { BOOTSTRAP_ENV, type Client, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { loginKeyOf, startOidcProvider } from "../support/server/oidc-provider.ts";
import { BOOTSTRAP_KEY } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import { startTokenIssuer } from "../support/server/token-issuer.ts";

const routes = Object.entries<RouteDefinition>(ROUTES).filter(([, { access }]) => access.kind !== "anybody");

interface Asked {
  readonly url: string;
  readonly key: string;
  /** What stands for a parameter of the path. */
  readonly valueOf: (name: string) => string;
}

/** Asks a route with its own example. Only a short answer is read: some routes stream. */
async function ask({ method, path, body }: RouteDefinition, { url, key, valueOf }: Asked) {
  const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_all, name: string) => encodeURIComponent(valueOf(name)));
  const type = body?.kind === "text" ? body.mediaTypes[0] : "application/json";
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body !== null && type !== undefined) headers["content-type"] = type;
  const sent = body?.kind === "text" ? body.example : body && JSON.stringify(body.example);
  const answer = await fetch(`${url}/api/v1${filled}`, { method, headers, body: sent });
  const isShort = answer.headers.has("content-length");
  const text = isShort ? await answer.text() : "";
  if (!isShort) await answer.body?.cancel();
  return { status: answer.status, text };
}

/** Whether the answer says that the key lacks the scope of the route. */
const lacksScope = ({ status, text }: { readonly status: number; readonly text: string }): boolean =>
  status === 403 && text.includes("This needs the scope");

// proves KEY-14, AUTH-07
it("every route serves exactly the roles whose scopes it names", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  const made = async (role: Role): Promise<Holder> => ({
    name: role,
    key: (await issueKey(operator, { role })).key,
    scopes: scopesOf({ role, isBootstrap: false, isBound: false }),
  });
  const bootstrap = scopesOf({ role: "admin", isBootstrap: true, isBound: false });
  const keys = await Promise.all(ROLES.map(made));
  expect(
    await walk(server.url, [{ name: "bootstrap", key: BOOTSTRAP_KEY, scopes: bootstrap }, ...keys]),
  ).toEqual([]);
}, 180_000);

// proves KEY-14, PEO-03, TOK-06
it("every route serves people by all of their roles, and keys of tokens by that of their rule", async () => {
  const [provider, issuer] = [await startOidcProvider(PEOPLE), await startTokenIssuer()];
  const allow = [provider.env, issuer.env].map((env) => env["SVC_OUTBOUND_ALLOW"]).join(",");
  const SVC_PUBLIC_URL = `http://127.0.0.1:${String(await findFreePort())}`;
  const listen = { SVC_PUBLIC_URL, SVC_LISTEN: SVC_PUBLIC_URL.replace("http://", "") };
  const server = await serverOfTest({
    env: { ...BOOTSTRAP_ENV, ...provider.env, ...listen, SVC_OUTBOUND_ALLOW: allow },
  });
  provider.redirectTo(server.url);
  const person = async (name: keyof typeof PEOPLE, roles: readonly Role[]): Promise<Holder> => ({
    name,
    key: await loginKeyOf(server.url, name),
    scopes: scopesOfRoles(roles, { isBootstrap: false, isBound: false }),
  });
  const exchanged = async (role: Role): Promise<Holder> => {
    const rule = { name: role, issuer: issuer.url, audience: role, subject: "job", role };
    expect((await operatorOf(server)("POST", "trust-rules", { json: rule })).status).toBe(201);
    const subject_token = await issuer.sign({ sub: "job", aud: role });
    const body = { grant_type: TOKEN_EXCHANGE_GRANT, subject_token };
    const given = await send("POST", `${server.url}/api/v1/token`, { body });
    const scopes = scopesOf({ role, isBootstrap: false, isBound: false });
    return { name: `token of ${role}`, key: String(given.body["access_token"]), scopes };
  };
  const holders = [
    await person("ada", ["approver", "policy_author"]),
    await person("grace", ["admin"]),
    await exchanged("ci"),
    await exchanged("operator"),
  ];
  expect(await walk(server.url, holders)).toEqual([]);
  for (const { key } of holders) {
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${server.url}/v1/logout`, { method: "POST", headers })).status).toBe(200);
    expect((await fetch(`${server.url}/v1/whoami`, { headers })).status).toBe(401);
  }
}, 180_000);

const PEOPLE = {
  ada: { name: "Ada", groups: ["finance", "authors"] },
  grace: { name: "Grace", groups: ["svc-admins"] },
};

interface Holder {
  readonly name: string;
  readonly key: string;
  readonly scopes: ReadonlySet<string>;
}

/** What was served to a holder without the scope of its route, or not to one with it. */
async function walk(url: string, holders: readonly Holder[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { name, key, scopes } of holders) {
    for (const [id, definition] of routes) {
      // It ends the key of a login, which the walk still needs.
      if (id === "endLogin") continue;
      const { access } = definition;
      const isServed = access.kind !== "scope" || scopes.has(access.scope);
      const answer = await ask(definition, { url, key, valueOf: () => "1" });
      const wasServed = answer.status !== 401 && !lacksScope(answer);
      if (wasServed !== isServed) wrong.push(`${id} as ${name}: ${String(answer.status)} ${answer.text}`);
    }
  }
  return wrong;
}

/** Resources whose names their makers choose, so that another organization may have them, too. */
const CHOSEN_NAMES: ReadonlySet<string> = new Set([
  "policy_id",
  "namespace_id",
  "workflow_id",
  "agent_id",
  "session_id",
]);

/** Has a call paused, and names its approval. */
async function pauseCall(client: Client): Promise<string> {
  const yaml = `id: asks
agent_id: agent-5
tools: { allowed: ["*"] }
rules:
  - { id: ask, match: { tool: "*" }, action: require_approval }
`;
  expect((await client("POST", "policies", { yaml })).status).toBe(201);
  const { body } = await client("POST", "gateway/execute", { json: callOf({ agent_id: "agent-5" }) });
  return new URL(String(body["approval_url"])).pathname.split("/").at(-1) ?? "";
}

/** One resource of each kind in the organization of the client, by the name of its parameter. */
async function makeResources(client: Client): Promise<Readonly<Record<string, string>>> {
  const yaml = PAYMENTS_POLICY;
  const policy = await client("POST", "policies", { yaml });
  const agent = { policy_id: "refunds", agent_id: "agent-2" };
  const assignment = await client("POST", "policy-assignments", { json: agent });
  const stop = { scope: "agent", target_id: "agent-9", reason: "test", activated_by: "test" };
  const killSwitch = await client("POST", "kill-switch", { json: stop });
  const namespace = await client("POST", "namespaces", { json: { id: "owned-ns", name: "Owned" } });
  const decision = await client("POST", "gateway/execute", { json: callOf() });
  const hold = await client("POST", "legal-holds", { json: { reason: "Case 4711" } });
  const workflow = await client("POST", "approval-workflows", { json: { id: "owned-workflow" } });
  expect(workflow.status).toBe(201);
  const { id } = await issueKey(client);
  const trust = { name: "t", issuer: "https://issuer.example", audience: "svc", subject: "s", role: "ci" };
  const rule = await client("POST", "trust-rules", { json: trust });
  expect(rule.status).toBe(201);
  // A public address, which nothing is sent to.
  const hook = { url: "https://1.1.1.1/in", events: ["*"], enabled: false };
  const webhook = await client("POST", "webhooks", { json: hook });
  expect(webhook.status).toBe(201);
  const told = { id: "owned-channel", email: ["owned@example.com"] };
  expect((await client("POST", "notification-channels", { json: told })).status).toBe(201);
  // Nothing is sent to it.
  const siem = { kind: "siem_http", name: "owned", url: "https://1.1.1.1/in", enabled: false };
  const integration = await client("POST", "integrations", { json: siem });
  expect(integration.status).toBe(201);
  const guardrail = { id: "owned-guardrail", detectors: ["pii.iban"] };
  expect((await client("POST", "guardrails", { json: guardrail })).status).toBe(201);
  const replay = await client("POST", "policies/refunds/replay", { json: { since: "2020-01-01T00:00:00Z" } });
  const made = [policy, assignment, killSwitch, namespace, hold, decision, replay];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 200, 202]);
  return {
    policy_id: "refunds",
    assignment_id: String(assignment.body["id"]),
    kill_switch_id: String(killSwitch.body["kill_switch_id"]),
    namespace_id: "owned-ns",
    approval_id: await pauseCall(client),
    // No request makes an agent miss its heartbeats, so no call is held here.
    held_call_id: "hld_owned",
    // The webhook is disabled, so nothing is delivered to it.
    delivery_id: "dlv_owned",
    workflow_id: "owned-workflow",
    decision_id: String(decision.body["decision_id"]),
    key_id: id,
    legal_hold_id: String(hold.body["id"]),
    // Nobody has signed in here.
    person: "ada@owned.example",
    trust_rule_id: String(rule.body["id"]),
    webhook_id: String(webhook.body["id"]),
    // No request makes a condition hold, so no alert is open here.
    alert_id: "alert_owned",
    notification_channel_id: told.id,
    integration_id: String(integration.body["id"]),
    guardrail_id: guardrail.id,
    agent_id: "agent-1",
    session_id: "s-1",
    row_id: String(decision.body["decision_id"]),
    replay_id: String(replay.body["id"]),
  };
}

/** Parameters that name no resource of their own. */
const FIXED: Readonly<Record<string, string>> = { version: "1" };

const masked = (text: string, id: string): string => text.replaceAll(id, "<id>");

/** Without what differs between any two answers. */
const timeless = (text: string): string =>
  text
    .replaceAll(/"request_id":"[^"]*"/g, "")
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/g, "<time>")
    .replaceAll(/"escalation_eta_seconds":[0-9]+/g, "");

// proves KEY-15
it("no route answers a key of another organization about a resource otherwise than about none", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  const resources = await makeResources(operator);
  const foreign = await issueKey(operator, { role: "admin", org_id: "another" });
  const wrong: string[] = [];
  for (const [name, definition] of routes) {
    const asked = { url: server.url, key: foreign.key };
    const answerFor = async (ids: Readonly<Record<string, string>>) => {
      const { status, text } = await ask(definition, {
        ...asked,
        valueOf: (parameter) => ids[parameter] ?? "",
      });
      const plain = Object.values(ids).reduce((left, id) => masked(left, id), timeless(text));
      return { status, plain };
    };
    if (!definition.path.includes("{")) {
      const { text } = await ask(definition, { ...asked, valueOf: () => "" });
      const random = Object.entries(resources).filter(([parameter]) => !CHOSEN_NAMES.has(parameter));
      const shown = random.some(([, id]) => text.includes(id));
      if (shown) wrong.push(`${name} shows ${text}`);
      continue;
    }
    const theirs = await answerFor({ ...resources, ...FIXED });
    const none = await answerFor({
      ...Object.fromEntries(Object.keys(resources).map((parameter) => [parameter, "zz-unknown"])),
      ...FIXED,
    });
    if (theirs.status !== none.status || theirs.plain !== none.plain)
      wrong.push(`${name}: ${JSON.stringify(theirs)} is not ${JSON.stringify(none)}`);
  }
  expect(wrong).toEqual([]);
  const after = await operator("GET", `keys/${resources["key_id"] ?? ""}`);
  expect(after.body).toMatchObject({ revoked_at: null });
  const approval = await operator("GET", `approvals/${resources["approval_id"] ?? ""}`);
  expect(approval.body).toMatchObject({ status: "pending", agent_id: "agent-5" });
}, 120_000);

it("the test of other organizations knows every parameter of every path", () => {
  const known = [
    "alert_id",
    "approval_id",
    "assignment_id",
    "decision_id",
    "held_call_id",
    "key_id",
    "kill_switch_id",
    "legal_hold_id",
    "namespace_id",
    "person",
    "policy_id",
    "row_id",
    "agent_id",
    "session_id",
    "replay_id",
    "trust_rule_id",
    "webhook_id",
    "delivery_id",
    "notification_channel_id",
    "integration_id",
    "guardrail_id",
    "workflow_id",
  ];
  const names = routes.flatMap(([, { path }]) =>
    [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name),
  );
  const unknown = names.filter((name) => !known.includes(name ?? "") && !Object.hasOwn(FIXED, name ?? ""));
  expect(new Set(unknown)).toEqual(new Set());
});
