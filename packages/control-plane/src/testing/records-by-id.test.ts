import { StatementSync } from "node:sqlite";
import { ANY_POLICY } from "@svc/contract/policy-list";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { policy } from "@svc/store/testing/records";
import { expect, it, onTestFinished, vi } from "vitest";
import { listAgents } from "../agents/list-agents.ts";
import { listPolicies } from "../policies/list-policies.ts";
import { OPERATOR, testPorts } from "../testing/test-ports.ts";

/** Records that a page of nodes can name, as count. */
const MANY = 200;

const idsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_one, at) => `p-${String(at)}`);

/** How many statements go to SQLite while the work is done. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const spies = (["all", "get", "iterate", "run"] as const).map((method) =>
    vi.spyOn(StatementSync.prototype, method),
  );
  onTestFinished(() => void spies.map((spy) => spy.mockRestore()));
  await work();
  const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return count;
}

// proves GQL-08
it("policies by id take as many statements for a page of them as for one", async () => {
  const store = openMemoryStore();
  for (const id of idsOf(MANY))
    await store.policies.createPolicy({
      org: OPERATOR.org,
      auditRow: "{}",
      policy: policy(id, 1),
      binding: null,
    });
  const ports = { log: testPorts().log, policies: store.policies };
  const read = async (count: number) => {
    const page = { limit: MANY, after: null };
    const outcome = await listPolicies(ports, OPERATOR, {
      filter: { ...ANY_POLICY, ids: idsOf(count) },
      page,
    });
    expect(outcome.kind === "ok" && outcome.value.items.length).toBe(count);
  };
  const one = await statementsOf(() => read(1));
  expect(one).toBeGreaterThan(0);
  expect(await statementsOf(() => read(MANY))).toBe(one);
});

// proves GQL-08
it("agents by id take as many statements and questions for a page of them as for one", async () => {
  const store = openMemoryStore();
  let questions = 0;
  const auditIndex = {
    agents: async ({ ids }: { readonly ids: readonly string[] | null }) => {
      questions += 1;
      const agents = (ids ?? []).map((id) => ({ id, namespace: "default", firstAt: 1, lastAt: 2 }));
      return { agents, behind: [] };
    },
    agentSessions: () => Promise.reject(new Error("no test lists sessions here")),
  };
  const ports = { log: testPorts().log, agents: store.agents, auditIndex };
  const read = async (count: number) => {
    const filters = {
      ids: idsOf(count),
      severities: null,
      statuses: null,
      namespaces: null,
      tag: null,
      text: null,
    };
    const page = { limit: MANY, after: null };
    const outcome = await listAgents(ports, OPERATOR, { filters, page });
    expect(outcome.kind === "ok" && outcome.value.agents.length).toBe(count);
  };
  // The first call opens the store.
  await read(1);
  questions = 0;
  const one = await statementsOf(() => read(1));
  const asked = questions;
  expect(one).toBeGreaterThan(0);
  expect(await statementsOf(() => read(MANY))).toBe(one);
  expect(questions).toBe(2 * asked);
});
