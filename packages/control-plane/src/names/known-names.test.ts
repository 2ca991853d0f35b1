import { expect, it } from "vitest";
import { registerAgent } from "../agents/register-agent.ts";
import { removeAgent } from "../agents/remove-agent.ts";
import { updateAgent } from "../agents/update-agent.ts";
import { activateKillSwitch } from "../kill-switches/activate-kill-switch.ts";
import { createNamespace } from "../namespaces/create-namespace.ts";
import { createPolicy } from "../policies/create-policy.ts";
import { activation } from "../testing/activation.ts";
import { yaml } from "../testing/documents.ts";
import { OPERATOR, STRANGER, type TestPorts, testPorts } from "../testing/test-ports.ts";

/** `copy` in Cyrillic letters. */
const LOOK_ALIKE = "\u0441\u043e\u0440\u0443";
const POINTS = "(U+0441, U+043E, U+0440, U+0443)";
const BOT = { name: "Bot", provider: null, tags: [], capabilities: [], parent_agent_id: null };

function setUp() {
  const auditIndex = {
    agents: async () => ({ agents: [], behind: [] }),
    agentSessions: () => Promise.reject(new Error("no test lists sessions here")),
  };
  return { ...testPorts(), auditIndex };
}

const register = (ports: ReturnType<typeof setUp>, id: string, namespace = "default", principal = OPERATOR) =>
  registerAgent(ports, principal, { ...BOT, id, namespace });

const describeNamespace = (ports: TestPorts, id: string) =>
  createNamespace(ports, OPERATOR, { id, name: "Bots", description: null });

const refusal = (field: string, text: string) => ({
  problem: {
    status: 409,
    detail: expect.stringContaining(text),
    errors: [{ pointer: `/${field}`, found: expect.stringContaining(text), fix: expect.any(String) }],
  },
});

// proves NAME-09
it("an agent is not registered under a name that looks like a registered one", async () => {
  const ports = setUp();
  await register(ports, "copy");
  await ports.named.catchUp();
  const text = `"${LOOK_ALIKE}" ${POINTS}, which looks like the agent "copy" that is registered`;
  expect(await register(ports, LOOK_ALIKE)).toMatchObject(refusal("id", text));
  expect(await register(ports, LOOK_ALIKE, "default", STRANGER)).toMatchObject({ kind: "ok" });
  expect(ports.database.auditRows).toHaveLength(2);
  await removeAgent(ports, OPERATOR, "copy");
  await ports.named.catchUp();
  expect(await register(ports, LOOK_ALIKE)).toMatchObject({ kind: "ok" });
  await ports.named.catchUp();
  const other = `"copy", which looks like the agent "${LOOK_ALIKE}" ${POINTS} that is registered`;
  expect(await register(ports, "copy")).toMatchObject(refusal("id", other));
});

// proves NAME-09
it("nor under one that looks like a bound one or one with an active kill switch", async () => {
  const ports = setUp();
  await createPolicy(ports, OPERATOR, yaml({ agent_id: "copy" }));
  await ports.named.catchUp();
  expect(await register(ports, LOOK_ALIKE)).toMatchObject(refusal("id", '"copy" that has a policy'));
  await activateKillSwitch(ports, OPERATOR, activation({ target_id: "space" }));
  await ports.named.catchUp();
  const alike = "\u0455\u0440\u0430\u0441\u0435";
  const text = '"space" that an active kill switch stops';
  expect(await register(ports, alike)).toMatchObject(refusal("id", text));
});

// proves NAME-09
it("a namespace is not created, and no agent moved into it, when it looks like a known one", async () => {
  const ports = setUp();
  await register(ports, "bot", "copy");
  await ports.named.catchUp();
  expect(await describeNamespace(ports, "copy")).toMatchObject({ kind: "ok" });
  expect(await describeNamespace(ports, LOOK_ALIKE)).toMatchObject(refusal("id", 'the namespace "copy"'));
  const found = refusal("namespace", 'the namespace "copy"');
  expect(await register(ports, "other", LOOK_ALIKE)).toMatchObject(found);
  const update = { namespace: LOOK_ALIKE };
  expect(await updateAgent(ports, OPERATOR, { id: "bot", update })).toMatchObject(found);
});

// proves NAME-05
it("names in ASCII are not compared", async () => {
  const ports = setUp();
  await register(ports, "agent-1");
  await ports.named.catchUp();
  expect(await register(ports, "agent-l")).toMatchObject({ kind: "ok" });
});
