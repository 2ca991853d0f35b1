// peers: postgres
// long: it pauses the process that delivers until another one leads

import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it } from "vitest";
import type { Responder } from "../../support/adapters/recording-server.ts";
import { callOf, execute } from "../../support/server/api.ts";
import { clusterOfTest } from "../../support/server/cluster.ts";
import type { ServerProcess } from "../../support/server/server-process.ts";
import { STEP_WITHIN_MS } from "../../support/server/supervision.ts";
import { confirms, RECEIVERS, receiverOf } from "./webhook-receiver.ts";

/** Milliseconds until everything must have arrived: an attempt that nobody answers takes 15 s of them. */
const DELIVERED_WITHIN_MS = 60_000;

/** Deliveries to one endpoint that are on their way at once, as count. */
const SLOTS = 8;

/** Whether a process delivers, by the last that it said of it. */
function leads(server: ServerProcess): boolean {
  const said = server.output();
  const led = said.lastIndexOf("this process supervises heartbeats");
  return led > said.lastIndexOf("another process supervises heartbeats now");
}

const untilLeads = (server: ServerProcess, expected: boolean) =>
  expect.poll(() => leads(server), { timeout: STEP_WITHIN_MS, interval: 50 }).toBe(expected);

/** Leaves requests without an answer until it is told to confirm them. */
function holding(): {
  readonly respond: Responder;
  readonly held: () => number;
  readonly release: () => void;
} {
  let waiting: Parameters<Responder>[] = [];
  return {
    respond: (...exchange) => void waiting.push(exchange),
    held: () => waiting.length,
    release: () => {
      for (const exchange of waiting) confirms(...exchange);
      waiting = [];
    },
  };
}

describePostgres("the process that delivers", (postgres) => {
  // proves HOOK-26
  it("is frozen amid deliveries, and thawed: no event is lost, and none has two ids", async () => {
    const cluster = await clusterOfTest(postgres());
    const first = await cluster.start("gw-1", "all", { env: RECEIVERS });
    await untilLeads(first, true);
    const second = await cluster.start("gw-2", "all", { env: RECEIVERS });
    const held = holding();
    const receiver = await receiverOf(second, { events: ["policy.decision"] }, held.respond);
    const decisions = new Set<unknown>();
    const decide = async (server: ServerProcess, count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        const session_id = `s-${String(decisions.size)}`;
        decisions.add((await execute(server.url, callOf({ session_id }))).body["decision_id"]);
      }
    };
    await decide(first, SLOTS);
    await decide(second, SLOTS);
    // The first deliveries may be few. What was decided meanwhile follows them.
    await expect.poll(held.held, { timeout: STEP_WITHIN_MS }).toBeGreaterThan(0);
    held.release();
    await expect.poll(held.held, { timeout: STEP_WITHIN_MS }).toBe(SLOTS);
    // On a busy machine the second process may lead by now.
    const [leader, other] = leads(second) ? [second, first] : [first, second];
    leader.signal("SIGSTOP");
    // The receiver has confirmed what the frozen process does not read until it is thawed.
    held.release();
    receiver.respondWith(confirms);
    await decide(other, SLOTS);
    await untilLeads(other, true);
    const arrived = () => new Set(receiver.received().map(({ data }) => data["decision_id"]));
    await expect.poll(arrived, { timeout: DELIVERED_WITHIN_MS }).toEqual(decisions);
    leader.signal("SIGCONT");
    await untilLeads(leader, false);
    await decide(leader, SLOTS);
    await decide(other, SLOTS);
    await expect.poll(arrived, { timeout: DELIVERED_WITHIN_MS }).toEqual(decisions);
    // Both have sent what was on its way, under the same ids.
    expect(receiver.requests.length).toBeGreaterThanOrEqual(decisions.size + SLOTS);
    const ids = new Set(receiver.requests.map(({ headers }) => headers["webhook-id"]));
    const pairs = new Set(
      receiver.requests.map(
        ({ headers }) => `${String(headers["webhook-id"])} ${String(headers["x-svc-delivery"])}`,
      ),
    );
    expect([ids.size, pairs.size]).toEqual([decisions.size, decisions.size]);
  }, 120_000);
});
