import { expect, it } from "vitest";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";
import { callToTry } from "./describe-start.ts";

function policy(tools: string, { agent = "shop-bot", rules = "" } = {}): PolicyFile {
  const source = `id: p-${agent}\nagent_id: ${agent}\nsession: {max_steps: 9}\ntools: ${tools}\n${rules}`;
  return { name: "p.yaml", source, mediaType: "application/yaml" };
}

const NO_REFUND = "rules:\n  - {id: r, match: {tool: a.pay}, action: require_approval}\n";

// proves CLI-84
it.each([
  ["a tool that it names", "{allowed: [orders.read]}", "", "orders.read"],
  ["a tool that no rule stops", "{allowed: [a.pay, a.read]}", NO_REFUND, "a.read"],
  ["a name that a pattern allows", '{allowed: ["orders.*"], denied: ["*.read"]}', "", "orders.list"],
  ["a name where everything is allowed", '{allowed: ["*"]}', "", "read"],
  ["a tool that it stops, where it allows none", "{allowed: [a.pay]}", NO_REFUND, "a.pay"],
  ["a tool that it denies, where it allows none", "{denied: [a.drop]}", "", "a.drop"],
])("the call to try of a policy has %s", async (_, tools, rules, tool) => {
  expect(await callToTry([policy(tools, { rules })], null)).toEqual({
    agent_id: "shop-bot",
    session_id: "s-1",
    tool,
    args: {},
  });
});

// proves CLI-84
it("is a call of the agent that --agent names, where a policy governs it", async () => {
  const files = [policy("{allowed: [a]}", { agent: "one" }), policy("{allowed: [b]}", { agent: "two" })];
  expect(await callToTry(files, "two")).toMatchObject({ agent_id: "two", tool: "b" });
  expect(await callToTry(files, "three")).toMatchObject({ agent_id: "one", tool: "a" });
});

// proves CLI-84
it("is not there while no policy governs an agent", async () => {
  expect(await callToTry([], "one")).toBeNull();
  const unbound = { name: "p.yaml", source: "id: p\ntools: {allowed: [a]}\n", mediaType: "application/yaml" };
  expect(await callToTry([unbound as PolicyFile], null)).toBeNull();
});
