// peers: postgres
// long: it starts servers again and waits for the thread that watches calls
// waits: until behaviour is judged
import { describe, expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { openEvents } from "../../support/server/event-stream.ts";
import { serverOfTest } from "../../support/server/server-process.ts";
import { type SharedStore, sharedDirectory, sharedPostgres } from "../../support/server/shared-store.ts";
import { STEP_WITHIN_MS } from "../../support/server/supervision.ts";

/** Long enough for the thread of the index on a busy machine. */
const FOUND = { timeout: STEP_WITHIN_MS, interval: 100 };

const SESSION = "s-1";

type Row = Readonly<Record<string, unknown>>;

/** Denied calls have a rule, so that a repeat is a retry of something that a policy forbids. */
const POLICY = `
id: refunds
agent_id: agent-1
tools: { allowed: ['payments.*'] }
rules:
  - id: no-large-refunds
    match: { tool: payments.refund, condition: { field: args.amount, operator: ">", value: 100 } }
    action: deny
`;

async function rows(url: string, query: string): Promise<readonly Row[]> {
  const { status, body } = await send("GET", `${url}/api/v1/audit?limit=200&${query}`);
  expect(status).toBe(200);
  return (body["rows"] as readonly { readonly row: Row }[]).map(({ row }) => row).toReversed();
}

const anomalies = async (url: string): Promise<readonly unknown[]> =>
  (await rows(url, "kind=anomaly")).map(({ anomaly }) => anomaly);

async function repeat(url: string, times: number, known: object): Promise<void> {
  for (let count = 0; count < times; count += 1) await execute(url, { session_id: SESSION, ...known });
}

const health = async (url: string): Promise<Row> =>
  (await send("GET", `${url}/api/v1/agents/agent-1/health`)).body;

/** No heartbeat is missed while a test runs. */
async function setBehaviour(url: string, behaviour: object): Promise<void> {
  const body = { rogue_detection: { behaviour, heartbeat: { interval_seconds: 3_600 } } };
  const { status } = await send("PUT", `${url}/api/v1/namespaces/default/rogue-detection`, { body });
  expect(status).toBe(200);
}

async function found({ before }: SharedStore): Promise<void> {
  const { url } = await serverOfTest(before);
  expect((await createPolicy(url, POLICY)).status).toBe(201);
  await setBehaviour(url, {});
  const beat = { body: { session_id: SESSION } };
  expect((await send("POST", `${url}/api/v1/agents/agent-1/heartbeat`, beat)).status).toBe(200);

  await repeat(url, 25, { args: { amount: 1 } });
  await expect.poll(() => anomalies(url), FOUND).toEqual(["identical_call_repeated"]);
  const [row] = await rows(url, "kind=anomaly");
  expect(row).toMatchObject({
    agent_id: "agent-1",
    session_id: SESSION,
    namespace: "default",
    principal: "rogue_detection",
    anomaly: "identical_call_repeated",
    explanation: "called payments.refund with the same arguments 20 times within a minute",
    evidence: { tool: "payments.refund", calls: 20 },
  });
  const severities = await rows(url, "kind=severity");
  expect(severities).toMatchObject([{ previous_severity: "INFO", severity: "WARNING" }]);
  expect(severities[0]?.["reason"]).toContain("identical_call_repeated: the agent called payments.refund");
  expect(await health(url)).toMatchObject({
    severity: "WARNING",
    status: "flagged",
    anomalies: [{ session_id: SESSION, anomaly: "identical_call_repeated" }],
  });
  const [listed] = (await health(url))["anomalies"] as readonly { readonly id: string }[];
  const logId = listed?.id.slice(0, listed.id.lastIndexOf("."));
  // From the first row on, so that a busy machine makes the event late and does not leave it out.
  const headers = { "last-event-id": `${String(logId)}=0` };
  const events = await openEvents(url, { query: "?kind=anomaly", headers });
  const sent = () => events.events.filter(({ name }) => name === "anomaly");
  await expect.poll(sent, FOUND).toHaveLength(1);
  expect(sent()[0]?.data["row"]).toMatchObject({ agent_id: "agent-1", anomaly: "identical_call_repeated" });

  await repeat(url, 6, { args: { amount: 500 } });
  await expect.poll(() => anomalies(url), FOUND).toEqual(["identical_call_repeated", "denied_call_retried"]);
  expect((await rows(url, "kind=anomaly"))[1]).toMatchObject({
    explanation:
      "repeated a denied call of payments.refund 5 times within ten minutes; " +
      "the rule no-large-refunds denies it",
    evidence: { rule_id: "no-large-refunds", repeats: 5 },
  });
  expect(await health(url)).toMatchObject({ severity: "WARNING" });
}

async function once({ before, after }: SharedStore): Promise<void> {
  const first = await serverOfTest(before);
  expect((await createPolicy(first.url, POLICY)).status).toBe(201);
  await repeat(first.url, 25, { args: { amount: 1 } });
  await expect.poll(() => anomalies(first.url), FOUND).toHaveLength(1);
  await repeat(first.url, 4, { args: { amount: 500 } });
  await first.stop("SIGKILL");
  const second = await serverOfTest(after);
  const decision = async () => (await execute(second.url, { args: { amount: 3 } })).body["decision"];
  await expect.poll(decision, FOUND).toBe("allow");
  await repeat(second.url, 10, { args: { amount: 1 } });
  // What comes after it shows that everything before it was looked at.
  await repeat(second.url, 4, { args: { amount: 500 } });
  const both = ["identical_call_repeated", "denied_call_retried"];
  await expect.poll(() => anomalies(second.url), FOUND).toEqual(both);
}

async function settings({ before }: SharedStore): Promise<void> {
  const { url } = await serverOfTest(before);
  expect((await createPolicy(url, POLICY)).status).toBe(201);
  await setBehaviour(url, { repeated_calls: null, denied_retries: 2 });
  await expect
    .poll(async () => {
      // The settings are in force within seconds, so the first of these runs may be judged by earlier ones.
      await repeat(url, 3, { args: { amount: 500 + Math.random() } });
      return anomalies(url);
    }, FOUND)
    .toContain("denied_call_retried");
  await repeat(url, 25, { args: { amount: 2 } });
  await repeat(url, 3, { args: { amount: 900 } });
  await expect.poll(async () => (await rows(url, "kind=anomaly")).length, FOUND).toBeGreaterThanOrEqual(2);
  expect(await anomalies(url)).not.toContain("identical_call_repeated");
  const body = { rogue_detection: { behaviour: { repeated_calls: 1 } } };
  const refused = await send("PUT", `${url}/api/v1/namespaces/default/rogue-detection`, { body });
  expect(refused).toMatchObject({ status: 400 });
}

const STORES = [
  { name: "SQLite", shared: sharedDirectory, skipped: false },
  { name: "PostgreSQL", shared: sharedPostgres, skipped: missing.postgres !== null },
];

describe.each(STORES)("on $name", ({ shared, skipped }) => {
  // proves ANOM-01, ANOM-02, ANOM-05
  // skip: PostgreSQL is not here
  it.skipIf(skipped)("unusual calls are rows and events, and raise WARNING", async () =>
    found(await shared()),
  );

  // proves ANOM-01
  // skip: PostgreSQL is not here
  it.skipIf(skipped)("an anomaly is recorded once over a kill -9", async () => once(await shared()));

  // proves ANOM-04
  // skip: PostgreSQL is not here
  it.skipIf(skipped)("thresholds are settings of the namespace", async () => settings(await shared()));
});
