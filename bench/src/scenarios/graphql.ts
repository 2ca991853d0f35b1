import { atMost, figure } from "../figure.ts";
import { createPolicy, post } from "../peers/api.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Scenario } from "../scenario.ts";
import { quantile, ratios } from "../statistics.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Policies, each of an agent of its own, as count. */
const POLICIES = 25;

/** Events on the page, as count: each policy decided two of them. */
const PAGE = 50;

/** Questions of each kind in one round, as count. They alternate, so that noise hits both. */
const QUESTIONS = 200;

const FIELDS =
  "id time agentId tool decision reason ruleId policyVersion args policy { id name version mode }";
const QUERY = `{ events(first: ${PAGE}, kind: DECISION) { nodes { ${FIELDS} } } }`;

export const graphql: Scenario = {
  name: "graphql",
  title: "A page of 50 events with their policies in GraphQL, to the list of 50 rows in REST",
  run: async (bench) => {
    const dataDir = await temporaryFolder(bench.dataFolder, bench.cleanup);
    const { ready: url } = await startProduct(bench, { SVC_DATA_DIR: dataDir });
    for (let at = 0; at < POLICIES; at += 1)
      await createPolicy(url, `id: policy-${at}\nagent_id: agent-${at}\ntools: { allowed: ["*"] }\n`);
    for (let at = 0; at < PAGE; at += 1) {
      const call = { agent_id: `agent-${at % POLICIES}`, session_id: "s", tool: "t", args: { amount: at } };
      await post(`${url}/api/v1/gateway/execute`, JSON.stringify(call));
    }
    const list = () =>
      fetch(`${url}/api/v1/audit?kind=decision&limit=${PAGE}`).then((answer) => answer.text());
    const question = () => post(`${url}/api/v1/graphql`, JSON.stringify({ query: QUERY }));
    const [lists, questions]: [number[], number[]] = [[], []];
    for (let round = 0; round <= bench.rounds; round += 1) {
      const times = await alternate([list, question]);
      // The first round starts the thread, and compiles the code of both.
      if (round === 0) continue;
      lists.push(quantile(times[0] ?? [], 0.99));
      questions.push(quantile(times[1] ?? [], 0.99));
    }
    const figures = [
      figure("p99, GraphQL to REST", "ratio", ratios(questions, lists), atMost(3)),
      figure("p99 in GraphQL", "ms", questions),
      figure("p99 of the list", "ms", lists),
    ];
    return { kind: "measured", figures, notes: [`${QUESTIONS} requests of each a round, one at a time`] };
  },
};

/** Milliseconds of each request, by kind. */
async function alternate(kinds: readonly (() => Promise<unknown>)[]): Promise<readonly number[][]> {
  const times = kinds.map((): number[] => []);
  for (let at = 0; at < QUESTIONS; at += 1) {
    for (const [kind, ask] of kinds.entries()) {
      const startMs = performance.now();
      await ask();
      times[kind]?.push(performance.now() - startMs);
    }
  }
  return times;
}
