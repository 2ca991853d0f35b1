import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { testGateway } from "../testing/test-gateway.ts";

/** `copy` in Cyrillic letters. */
const LOOK_ALIKE = "\u0441\u043e\u0440\u0443";
const DENIED = { decision: "deny", reason_code: "confusable", fail_closed: false };

async function gatewayWith(mode = "enforcement") {
  const gateway = await testGateway();
  const policy = `id: p\ngovernance_mode: ${mode}\nfail_closed: false\ntools: {denied: ["exec.*"]}\n`;
  gateway.feed.putPolicy("p", policy, { namespace_id: "default" });
  await gateway.follower.catchUp();
  return gateway;
}

interface Spelling {
  readonly kind: "agent" | "session" | "tool";
  readonly text: string;
}

const FIELDS = { agent: "agent_id", session: "session_id", tool: "tool" } as const;

type TestGateway = Awaited<ReturnType<typeof gatewayWith>>;

async function kill(
  { feed, follower }: TestGateway,
  scope: "agent" | "session" | "tool" | "namespace",
  target_id: string,
): Promise<void> {
  feed.putSwitch({ scope, target_id });
  await follower.catchUp();
}

// proves NAME-04
it.each([
  ["agent", { agent_id: LOOK_ALIKE }],
  ["session", { session_id: LOOK_ALIKE }],
  ["tool", { tool: LOOK_ALIKE }],
  ["namespace", { namespace: LOOK_ALIKE }],
] as const)("a switch on %s copy is not left behind by its look-alike", async (scope, names) => {
  for (const mode of ["enforcement", "audit_only"]) {
    const gateway = await gatewayWith(mode);
    const before = await gateway.execute(names);
    expect(before).not.toMatchObject({ reason_code: "confusable" });
    await kill(gateway, scope, "copy");
    expect(await gateway.execute(names)).toMatchObject({
      ...DENIED,
      reason: expect.stringContaining(
        `${LOOK_ALIKE} (it has U+0441, U+043E, U+0440, U+0443) looks like copy, which the kill switch`,
      ),
    });
    expect(gateway.rows().at(-1)).toMatchObject({ reason_code: "confusable", decision: "deny" });
  }
});

// proves NAME-04
it("a switch on a name in another script stops it and its look-alike in ASCII", async () => {
  const gateway = await gatewayWith();
  await kill(gateway, "agent", LOOK_ALIKE);
  expect(await gateway.execute({ agent_id: LOOK_ALIKE })).toMatchObject({ reason_code: "kill_switch" });
  expect(await gateway.execute({ agent_id: "copy" })).toMatchObject(DENIED);
  expect(await gateway.execute({ agent_id: "other" })).toMatchObject({ decision: "allow" });
});

// proves NAME-05
it("names in ASCII are not compared", async () => {
  const gateway = await gatewayWith();
  await kill(gateway, "agent", "agent-l");
  await kill(gateway, "agent", "rnodern");
  expect(await gateway.execute({ agent_id: "agent-1" })).toMatchObject({ decision: "allow" });
  expect(await gateway.execute({ agent_id: "modern" })).toMatchObject({ decision: "allow" });
});

// proves NAME-06
it("a registered agent and a bound one are not passed by their look-alikes", async () => {
  const gateway = await gatewayWith();
  const agent = (id: string, removed = false) =>
    gateway.feed.put({ kind: "agent", record: { id, namespace: "default", quarantine: null }, removed });
  agent("copy");
  await gateway.follower.catchUp();
  expect(await gateway.execute({ agent_id: LOOK_ALIKE })).toMatchObject({
    ...DENIED,
    reason: expect.stringContaining("looks like the agent copy"),
  });
  expect(await gateway.execute({ agent_id: "copy" })).toMatchObject({ decision: "allow" });
  // An operator registers both.
  agent(LOOK_ALIKE);
  await gateway.follower.catchUp();
  expect(await gateway.execute({ agent_id: LOOK_ALIKE })).toMatchObject({ decision: "allow" });
  expect(await gateway.execute({ agent_id: "copy" })).toMatchObject({ decision: "allow" });
  // A switch on one of them still stops both.
  await kill(gateway, "agent", "copy");
  expect(await gateway.execute({ agent_id: LOOK_ALIKE })).toMatchObject(DENIED);
  agent("copy", true);
  gateway.feed.putPolicy("q", "id: q\ntools: {allowed: ['*']}\n", { agent_id: "scope" });
  await gateway.follower.catchUp();
  expect(await gateway.execute({ agent_id: "\u0455\u0441\u043e\u0440\u0435" })).toMatchObject(DENIED);
});

// proves NAME-06
it("a look-alike of a tool that the policy denies is denied", async () => {
  const gateway = await gatewayWith();
  expect(await gateway.execute({ tool: "exec.run" })).toMatchObject({ reason_code: "tool_denied" });
  expect(await gateway.execute({ tool: "\u0435\u0445\u0435\u0441.run" })).toMatchObject({
    ...DENIED,
    reason: expect.stringContaining("looks like exec.*, which the policy p names"),
  });
  expect(await gateway.execute({ tool: "\u043f\u043e\u0438\u0441\u043a" })).toMatchObject({
    decision: "allow",
  });
});

// proves NAME-03
it("spellings of real systems are rows as they came, and switches stop them", async () => {
  const gateway = await gatewayWith();
  for (const { kind, text } of loadVectors<Spelling>("spellings")) {
    const names = { tool: "t", [FIELDS[kind]]: text };
    expect(await gateway.execute(names)).toMatchObject({ decision: "allow" });
    expect(gateway.rows().at(-1)).toMatchObject(names);
    await kill(gateway, kind, text);
    expect(await gateway.execute(names)).toMatchObject({ reason_code: "kill_switch" });
  }
});
