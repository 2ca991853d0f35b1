// alone: it keeps two processors busy
// long: one agent floods a server for seconds while others call

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LargeCalls, largeBody, longestSmallBody } from "../../support/requests/large-calls.ts";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { activate, deactivate } from "../../support/server/kill-switches.ts";
import { authorizationFor } from "../../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";

const ATTACK_CALLS = 16;
const FLOOD_CALLS = 3_200;
const SMALL_CALLS = 200;
const MIB = 1024 * 1024;

/**
 * Bytes of memory that the server may take at most, with all threads and the first pieces of 3,200 bodies. It
 * was 1,071 to 1,562 MiB in twelve runs; a leak for each call would pass any bound.
 */
const FLOOD_PEAK_BYTES = 2_048 * MIB;

/** Kill switches that are activated beside an attack. */
const KILLS = 3;

const ORDINARY_CALLS = 100;

/**
 * The part of the attacker's calls in flight that may be answered for one ordinary call. A server that served
 * all calls in the order in which they came would answer all of them first.
 */
const FAIR_SHARE = 1 / 4;

const policyOf = (agent: string): string => `
id: ${agent}
agent_id: ${agent}
tools: { allowed: ["payments.*"] }
rules:
  - id: pii
    priority: 1
    match: { tool: "*", condition: { field: args.t, operator: detects, value: [pii.iban, pii.credit_card] } }
    action: deny
`;

async function serverWithPolicies(): Promise<{ readonly server: ServerProcess; readonly large: LargeCalls }> {
  const server = await serverOfTest({ env: { NODE_OPTIONS: "--max-old-space-size=1024" } });
  for (const agent of ["ordinary", "attacker"])
    expect((await createPolicy(server.url, policyOf(agent))).status).toBe(201);
  const large = new LargeCalls(server.url);
  onTestFinished(() => large.close());
  return { server, large };
}

const ORDINARY = { agent_id: "ordinary", args: { t: "three books" } };

/** Ordinary calls one after another. */
async function makeOrdinaryCalls(server: ServerProcess): Promise<void> {
  for (let at = 0; at < ORDINARY_CALLS; at += 1)
    expect((await execute(server.url, ORDINARY)).body).toMatchObject({ decision: "allow" });
}

/** Ordinary calls while an attacker keeps this many in flight: they do not wait for all of those. */
async function expectFairTurns(
  server: ServerProcess,
  attack: { readonly answers: readonly unknown[] },
  inFlight: number,
): Promise<void> {
  const before = attack.answers.length;
  await makeOrdinaryCalls(server);
  const foreign = attack.answers.length - before;
  expect(foreign / ORDINARY_CALLS).toBeLessThan(inFlight * FAIR_SHARE);
}

async function statusOf(server: ServerProcess, field: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${String(server.pid)}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
}

describe("one agent that sends the largest bodies", () => {
  // proves FAIR-01
  it.each(["text", "numbers", "keys"] as const)(
    "delays no other agent's calls, and denies none: %s",
    async (kind) => {
      const { server, large } = await serverWithPolicies();
      await makeOrdinaryCalls(server);
      const attack = large.keepSending(largeBody("attacker", kind), ATTACK_CALLS);
      await expectFairTurns(server, attack, ATTACK_CALLS);
      const answers = await attack.stop();
      expect(answers.length).toBeGreaterThanOrEqual(ATTACK_CALLS);
    },
  );

  // proves FAIR-02
  it("is stopped by its kill switch while its calls are in flight", async () => {
    const { server, large } = await serverWithPolicies();
    const attack = large.keepSending(largeBody("attacker", "keys"), ATTACK_CALLS);
    for (let made = 0; made < KILLS; made += 1) {
      await makeOrdinaryCalls(server);
      const { body } = await activate(server.url, { scope: "agent", target_id: "attacker" });
      const isStopped = async () => (await execute(server.url, { agent_id: "attacker" })).body;
      // An answer waits 100 ms for the gateway, which a busy machine can keep from running for as long.
      await expect.poll(isStopped).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
      await deactivate(server.url, body["kill_switch_id"]);
    }
    await attack.stop();
  });

  // proves FAIR-03, FAIR-06
  it("is refused by name past its share of memory, while the server answers others", {
    timeout: 120_000,
  }, async () => {
    const { server, large } = await serverWithPolicies();
    const body = largeBody("attacker", "numbers");
    const flood = Promise.allSettled(Array.from({ length: FLOOD_CALLS }, () => large.send(body)));
    // On a short machine a flood can hold the thread past the lease: others are then denied, but answered.
    const others = Array.from({ length: ORDINARY_CALLS }, () => execute(server.url, ORDINARY));
    for (const { status } of await Promise.all(others)) expect(status).toBe(200);
    const settled = await flood;
    await makeOrdinaryCalls(server);
    const answers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const outcomes = new Set(answers.map(({ outcome }) => outcome));
    expect(outcomes).toContain("too_many_requests");
    const named = ["allow", "deny", "too_many_requests", "overloaded"];
    expect([...outcomes].filter((outcome) => !named.includes(outcome))).toEqual([]);
    for (const { status, retryAfter } of answers) {
      expect([200, 429, 503]).toContain(status);
      expect(retryAfter).toBe(status === 200 ? undefined : "1");
    }
    // A client that is still sending when its connection is closed may not see the refusal.
    expect(answers.length).toBeGreaterThan(FLOOD_CALLS / 2);
    expect(await statusOf(server, "VmHWM")).toBeLessThan(FLOOD_PEAK_BYTES);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^svc_admission_refused_total\{cause="(?:caller|agent)_share"\} [1-9]/m);
    expect(metrics).toMatch(/^svc_bytes_in_flight\{size="large"\} 0$/m);
  });
});

// proves FAIR-12
describe("one agent that sends very many small calls at once", () => {
  const DETECTORS = "pii.email, pii.phone, pii.iban, pii.credit_card, secret.jwt, secret.generic_api_key";
  const CONDITION = `{ field: args.t, operator: detects, value: [${DETECTORS}] }`;
  const searchRule = (id: string): string =>
    `  - { id: ${id}, match: { condition: ${CONDITION} }, action: deny }`;
  const searching = `
id: searcher
agent_id: searcher
tools: { allowed: ["payments.*"] }
rules:
${["a", "b", "c", "d", "e", "f"].map(searchRule).join("\n")}
`;

  it("delays neither the calls of others nor a kill switch", { timeout: 120_000 }, async () => {
    const { server, large } = await serverWithPolicies();
    expect((await createPolicy(server.url, searching)).status).toBe(201);
    await makeOrdinaryCalls(server);
    const attack = large.keepSending(longestSmallBody("searcher"), SMALL_CALLS);
    await expectFairTurns(server, attack, SMALL_CALLS);
    for (let made = 0; made < KILLS; made += 1) {
      const { body } = await activate(server.url, { scope: "agent", target_id: "another" });
      const isStopped = async () => (await execute(server.url, { agent_id: "another" })).body;
      await expect.poll(isStopped).toMatchObject({ reason_code: "kill_switch" });
      await deactivate(server.url, body["kill_switch_id"]);
    }
    const answers = await attack.stop();
    // On a busy machine its own calls may wait too long.
    expect(["allow", "overloaded"]).toEqual(
      expect.arrayContaining([...new Set(answers.map(({ outcome }) => outcome))]),
    );
  });
});

// proves FAIR-08
describe("an export of large rows", () => {
  const ROWS = 300;

  async function serverWithRows(): Promise<ServerProcess> {
    const { server, large } = await serverWithPolicies();
    const body = largeBody("attacker", "numbers");
    for (let at = 0; at < ROWS; at += 1) expect((await large.send(body)).status).toBe(200);
    return server;
  }

  async function beginExport({ url }: ServerProcess): Promise<ClientRequest> {
    const address = `${url}/api/v1/audit/export`;
    const request = get(address, { headers: await authorizationFor("GET", address) });
    request.on("error", () => undefined);
    const [{ statusCode }] = (await once(request, "response")) as [IncomingMessage];
    if (statusCode !== 200) request.destroy();
    expect(statusCode).toBe(200);
    return request;
  }

  it("takes little memory, delays no other call and is one at a time for each key", {
    timeout: 120_000,
  }, async () => {
    const server = await serverWithRows();
    await makeOrdinaryCalls(server);
    const before = await statusOf(server, "VmHWM");
    let isExported = false;
    const exported = checkedExport(server.url).finally(() => {
      isExported = true;
    });
    let meanwhile = 0;
    for (; !isExported; meanwhile += 1) await execute(server.url, ORDINARY);
    expect(meanwhile).toBeGreaterThan(20);
    expect((await exported).length).toBeGreaterThan(ROWS);
    expect(await statusOf(server, "VmHWM")).toBeLessThan(before + 150 * MIB);

    // A second client of the same key is refused until the first one leaves.
    const first = await vi.waitFor(() => beginExport(server), CONDITION_MS);
    const second = await send("GET", `${server.url}/api/v1/audit/export`);
    expect(second).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(second.headers["retry-after"]).toBe("1");
    first.destroy();
    await vi.waitFor(
      async () => expect((await checkedExport(server.url)).length).toBeGreaterThan(ROWS),
      CONDITION_MS,
    );
  });
});
