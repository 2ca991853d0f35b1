// Times once, in a process of its own, what loading takes before the first call. Arguments: the folder of
// the built TypeScript library, and the text of a policy. Prints one line of JSON: nanoseconds of importing
// the client, of importing the test kit and opening a gateway with the policy, and of one decision of it.
import { join } from "node:path";

const [, , folder = "", policy = ""] = process.argv;

/** Number of decisions that are timed, after as many that are not. */
const DECISIONS = 200;

interface Client {
  execute(tool: string, args: object, options: { readonly agentId: string }): Promise<unknown>;
}

interface Library {
  readonly SvcClient: new () => Client;
}

interface Kit {
  readonly PolicyGateway: new (policy: { readonly file: string; readonly source: string }) => unknown;
}

const startedNs = process.hrtime.bigint();
const { SvcClient } = (await import(join(folder, "index.js"))) as Library;
const importedNs = process.hrtime.bigint();
const { PolicyGateway } = (await import(join(folder, "testing.js"))) as Kit;
new PolicyGateway({ file: "refunds.yaml", source: policy });
const openedNs = process.hrtime.bigint();

const client = new SvcClient();
await decide();
const decidingNs = process.hrtime.bigint();
await decide();
const decidedNs = process.hrtime.bigint();

const times = {
  client: Number(importedNs - startedNs),
  kit: Number(openedNs - importedNs),
  decision: Number(decidedNs - decidingNs) / DECISIONS,
};
process.stdout.write(`${JSON.stringify(times)}\n`);

async function decide(): Promise<void> {
  for (let at = 0; at < DECISIONS; at += 1)
    await client.execute("payments.refund", { amount: 5 }, { agentId: "agent-1" });
}
