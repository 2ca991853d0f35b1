import { openSqliteStore } from "@svc/store/open-sqlite-store";
import type { PolicyStore } from "@svc/store/ports/policy-store";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { atMost, figure } from "../figure.ts";
import { post } from "../peers/api.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Scenario } from "../scenario.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const POLICIES = 10_000;
const RULES = 20;

/** Policies that are written at once, as count. */
const AT_ONCE = 100;

const READY_LIMIT_MS = 60_000;

export const policyStart: Scenario = {
  name: "policy-start",
  title: `A start with ${POLICIES.toLocaleString("en-US")} policies of ${RULES} rules`,
  run: async (bench) => {
    const dataDir = await temporaryFolder(bench.dataFolder, bench.cleanup);
    bench.say(`writing ${POLICIES} policies`);
    await seed(dataDir);
    const deny: number[] = [];
    const inForce: number[] = [];
    for (let round = 0; round < Math.min(bench.rounds, 3); round += 1) {
      const startedMs = performance.now();
      const product = await startProduct(bench, { SVC_DATA_DIR: dataDir });
      const call = { agent_id: `agent-${POLICIES - 1}`, tool: "payments.refund", args: {} };
      await post(`${product.ready}/api/v1/gateway/execute`, JSON.stringify(call));
      deny.push(performance.now() - startedMs);
      await untilReady(product.ready);
      inForce.push(performance.now() - startedMs);
      await product.stop();
    }
    return {
      kind: "measured",
      figures: [
        figure("from the start of the process to the first verdict, which may be a deny", "ms", deny),
        figure("from the start of the process to all policies in force", "ms", inForce, atMost(15_000)),
      ],
      notes: ["/readyz tells when all policies are in force"],
    };
  },
};

async function seed(dataDir: string): Promise<void> {
  const store = await openSqliteStore({ dataDir, logId: "seed" });
  for (let first = 0; first < POLICIES; first += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, at) =>
      store.policies.createPolicy(creation(first + at)),
    );
    for (const outcome of await Promise.all(batch)) {
      if (outcome.kind !== "created") throw new Error(`a policy was not created: ${outcome.kind}`);
    }
  }
  await store.close();
}

function creation(at: number): Parameters<PolicyStore["createPolicy"]>[0] {
  const [id, agentId] = [`policy-${at}`, `agent-${at}`];
  const source = benchmarkPolicy({ id, agentId, walkedRules: RULES });
  const time = "2026-11-01T00:00:00.000Z";
  const written = { created_at: time, created_by: "bench" };
  const document = JSON.parse(source) as object;
  const record = {
    id,
    version: 1,
    enabled: true,
    name: "Benchmark",
    document,
    rolled_back_to: null,
    ...written,
  };
  const binding = {
    id: `assignment-${at}`,
    policy_id: id,
    agent_id: agentId,
    namespace_id: null,
    ...written,
  };
  return {
    org: "default",
    auditRow: JSON.stringify({ v: 1, kind: "policy", org: "default", time, policy_id: id }),
    policy: { record: record as never, source, mediaType: "application/json" },
    binding: { record: binding, auditRow: JSON.stringify({ v: 1, kind: "policy", org: "default", time }) },
  };
}

async function untilReady(url: string): Promise<void> {
  const deadlineMs = performance.now() + READY_LIMIT_MS;
  while ((await fetch(`${url}/readyz`)).status !== 200) {
    if (performance.now() > deadlineMs) throw new Error("not ready in time");
  }
}
