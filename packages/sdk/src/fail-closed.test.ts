import { ALLOW_BODY } from "@svc/decision-client/testing/answers";
import { FAULT_TIMEOUT_MS, failClosedFaults } from "@svc/decision-client/testing/fail-closed-suite";
import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { describe, expect, it, vi } from "vitest";
import { governCall } from "./govern-call.ts";
import { governed } from "./governed.ts";
import { governedFn } from "./governed-fn.ts";
import { SvcClient } from "./svc-client.ts";
import { SvcDenied } from "./svc-denied.ts";

const CALL = { agentId: "agent-1" };

async function denialOf(asking: Promise<unknown>): Promise<SvcDenied> {
  const error = await asking.then(
    () => new Error("it ran"),
    (thrown: unknown) => thrown,
  );
  if (SvcDenied.isInstance(error)) return error;
  throw error;
}

describe.concurrent("I10: no fault between the library and the gateway runs a function", () => {
  // proves LIB-10
  it.for(failClosedFaults)("$wanted: $name", async ({ start, wanted }) => {
    const gateway = await start();
    const faults: string[] = [];
    const client = new SvcClient({
      baseUrl: gateway.url,
      apiKey: "svc_id_secret",
      timeoutMs: FAULT_TIMEOUT_MS,
      onFault: ({ reason_code }) => faults.push(reason_code),
    });
    const fn = vi.fn<() => string>();
    try {
      const denial = await denialOf(governCall("payments.refund", { amount: 1 }, { ...CALL, client, fn }));
      expect(denial).toMatchObject({ reason_code: wanted, fail_closed: true, decision_id: null });
      expect(denial.message).not.toContain("secret");
      expect(faults).toEqual([wanted]);
      expect(fn).not.toHaveBeenCalled();
    } finally {
      await gateway.close();
    }
  });
});

describe("a function that is governed in another way", () => {
  it("does not run either while the gateway is away", async () => {
    const gateway = await startHttpGateway(() => {});
    await gateway.close();
    const client = new SvcClient({ baseUrl: gateway.url });
    const fn = vi.fn<(args: object) => string>();
    const ways = [
      governedFn("payments.refund", { ...CALL, client })(fn)({ amount: 1 }),
      governed({ ...CALL, client }, (context) => context.execute("payments.refund", { amount: 1 }, { fn })),
      client.execute("payments.refund", { amount: 1 }, CALL),
    ];
    for (const way of ways) expect((await denialOf(way)).reason_code).toBe("gateway_unreachable");
    expect(fn).not.toHaveBeenCalled();
  });
});

it("an allow that was read after the deadline is a deny, even when no timer fired", async () => {
  const gateway = await startHttpGateway((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(ALLOW_BODY);
  });
  let nowMs = 0;
  const client = new SvcClient({ baseUrl: gateway.url, monotonicMs: () => (nowMs += 60_000) });
  expect(await client.decide("payments.refund", {}, CALL)).toMatchObject({ reason_code: "decision_timeout" });
  await gateway.close();
});

it("a caller that gives up gets a deny", async () => {
  const gateway = await startHttpGateway(() => {});
  const client = new SvcClient({ baseUrl: gateway.url });
  const giveUp = new AbortController();
  const asking = client.decide("payments.refund", {}, { ...CALL, signal: giveUp.signal });
  giveUp.abort();
  expect(await asking).toMatchObject({ reason_code: "decision_timeout", fail_closed: true });
  expect(await client.decide("payments.refund", {}, { ...CALL, signal: giveUp.signal })).toMatchObject({
    reason: expect.stringContaining("stopped waiting"),
  });
  await gateway.close();
});

// Each stands for a call that cannot be judged as it is. The text names what is wrong, and never the value.
const MALFORMED: readonly (readonly [string, unknown, object, string])[] = [
  ["no arguments", undefined, {}, "args: expected a value that JSON can say, found undefined"],
  ["a list", [1], {}, "args: expected an object of names and values, found an array"],
  ["a date", { when: new Date(0) }, {}, "args.when: expected a plain object"],
  ["a big integer", { amount: 1n }, {}, "args.amount: expected a value that JSON can say, found bigint"],
  ["an unsafe integer", { amount: 2 ** 53 }, {}, "args.amount: expected an integer within 2^53 - 1"],
  ["NaN", { list: [Number.NaN] }, {}, "args.list[0]: expected a finite number"],
  ["a lone surrogate", { note: "\ud800" }, {}, "args.note: expected well-formed Unicode"],
  ["a key of prototypes", JSON.parse('{"__proto__":{}}'), {}, "args: expected no member named __proto__"],
  ["no agent", {}, { agentId: "" }, "agentId: expected 1 to"],
  ["a session with a blank", {}, { sessionId: "a b " }, "it ends with a space (U+0020): leave it out"],
  ["a cost that is too exact", {}, { costUsd: "0.0000001" }, "costUsd: expected a decimal of USD"],
  ["an empty call id", {}, { callId: "" }, "callId: expected a text that is not empty"],
  ["an idempotency key with a blank", {}, { idempotencyKey: "a b" }, "idempotencyKey: expected 1 to 128"],
];

describe("a call that cannot be judged as it is", () => {
  it.each(MALFORMED)("%s: is denied before anybody is asked", async (_name, args, options, reason) => {
    const client = new SvcClient({ baseUrl: "http://127.0.0.1:1" });
    const verdict = await client.decide("payments.refund", args, { ...CALL, ...options });
    expect(verdict).toMatchObject({
      decision: "deny",
      reason_code: "request_malformed",
      fail_closed: true,
      reason: expect.stringContaining(reason),
    });
  });

  it("does not repeat what a getter throws", async () => {
    const args = Object.defineProperty({}, "amount", {
      enumerable: true,
      get: () => {
        throw new Error("secret");
      },
    });
    const client = new SvcClient({ baseUrl: "http://127.0.0.1:1" });
    const verdict = await client.decide("payments.refund", args, CALL);
    expect(verdict).toMatchObject({ decision: "deny", reason: "The call cannot be written as JSON." });
  });
});
