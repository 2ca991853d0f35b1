import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Verdict } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import { isKnownNotification, treatmentOf } from "@svc/tool-calls/mcp-methods";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createInterceptor } from "./interceptor.ts";
import type { InterceptorSettings } from "./interceptor-settings.ts";
import { ALLOW, answeredOf, DENY, eventOf, forwardedOf, PAUSE, SETTINGS } from "./testing/events.ts";

const RUNS = runs(1_000, 20_000);

/** Milliseconds for all of them on a busy machine. */
const TIMEOUT_MS = 60_000;

const methods = fc.constantFrom(
  "tools/call",
  "tools/call",
  "tools/call",
  "tools/list",
  "Tools/Call",
  "tools/call ",
  "resources/read",
  "tasks/get",
  "tasks/update",
  "notifications/initialized",
  "notifications/../tools/call",
);
const names = fc.constantFrom<unknown>(
  "payments___refund",
  "a____b",
  "refund",
  "a__b",
  "x_amz_search",
  7,
  null,
);
const argumentsOf = fc.oneof(
  fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })),
  fc.jsonValue(),
);
const params = fc.oneof(
  fc.record({ name: names, arguments: argumentsOf }, { requiredKeys: [] }),
  fc.jsonValue({ maxDepth: 2 }),
);
const ids = fc.constantFrom<unknown>(0, 1, "0", "", null, 1.5, -1, {});
const strayKeys = fc.constantFrom("Method", "METHOD", "method\0x", "x", "params ", "result");
const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
const soundKey = fc.string({ maxLength: 4 }).filter((text) => text !== "__proto__");
const soundArgs = fc.dictionary(soundKey, fc.oneof(leaf, fc.array(leaf), fc.dictionary(soundKey, leaf)));

/** What a well-behaved client sends; most numbers of arbitrary JSON are too large for the strict reader. */
const soundCall = fc.record({
  jsonrpc: fc.constant("2.0"),
  id: fc.constantFrom(0, 1, "0", ""),
  method: fc.constant("tools/call"),
  params: fc.record({
    name: fc.constantFrom("payments___refund", "a____b", "x_amz_search"),
    arguments: soundArgs,
  }),
});
const messages = fc.oneof(
  { weight: 5, arbitrary: soundCall },
  {
    weight: 5,
    arbitrary: fc.record(
      { jsonrpc: fc.constant("2.0"), id: ids, method: methods, params },
      { requiredKeys: ["jsonrpc"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.record({ jsonrpc: fc.constant("2.0"), id: ids, method: methods, params }), strayKeys, methods)
      .map(([base, key, value]) => ({ ...base, [key]: value })),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** What the gateway may send, and what it never should: two bodies that differ, envelopes that are off. */
const events = fc
  .record({
    parsed: messages,
    raw: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: messages }),
    text: fc.oneof(
      { weight: 6, arbitrary: fc.constant((text: string) => text) },
      { weight: 1, arbitrary: fc.constant((text: string) => ` ${text}\n`) },
      { weight: 1, arbitrary: fc.constant((text: string) => text.slice(1)) },
    ),
    version: fc.oneof(
      { weight: 9, arbitrary: fc.constant<unknown>("1.0") },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    request: fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ headers: fc.jsonValue() }) },
      { weight: 1, arbitrary: fc.constant({ headers: { "mcp-param-a": "1" } }) },
    ),
  })
  .map(({ parsed, raw, text, version, request }) =>
    eventOf(parsed, { raw: text(JSON.stringify(raw ?? parsed)), version, request }),
  );

const verdicts = fc.oneof(
  fc.constantFrom<Verdict | Error>(ALLOW, DENY, PAUSE, new Error("no verdict")),
  fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })).map(
    (shaped): Verdict => ({
      ...ALLOW,
      decision: "allow",
      decision_id: "g.1",
      args_constrained: true,
      shaped_args: shaped as JsonObject,
    }),
  ),
);

const settings: fc.Arbitrary<InterceptorSettings> = fc
  .record({ strict: fc.boolean(), toolNames: fc.constantFrom("dotted" as const, "as_given" as const) })
  .map((some) => ({ ...SETTINGS, ...some }));

interface Ran {
  readonly asked: readonly ExecuteRequest[];
  readonly forwarded: unknown;
  readonly isAnswered: boolean;
}

async function run(event: unknown, verdict: Verdict | Error, known: InterceptorSettings): Promise<Ran> {
  const asked: ExecuteRequest[] = [];
  const handler = createInterceptor({
    settings: known,
    timeoutMs: 1_000,
    ask: (call) => {
      asked.push(call);
      return verdict instanceof Error ? Promise.reject(verdict) : Promise.resolve(verdict);
    },
    logger: { info: () => {}, error: () => {} },
  });
  // A function's result travels as JSON.
  const output = JSON.parse(JSON.stringify(await handler(event))) as Awaited<ReturnType<typeof handler>>;
  return { asked, forwarded: forwardedOf(output), isAnswered: answeredOf(output) !== null };
}

/** Whether a message of this method may pass without a verdict, read as plainly as a gateway reads it. */
function mayPass(forwarded: { method?: unknown }, strict: boolean): boolean {
  const { method } = forwarded;
  // An empty result answers a ping.
  if (method === undefined) return "result" in forwarded && JSON.stringify(forwarded.result) === "{}";
  if (typeof method !== "string") return false;
  if (method.startsWith("notifications/")) return !("id" in forwarded) && isKnownNotification(method);
  if (method === "tasks/update") return false;
  const treatment = treatmentOf(method);
  return treatment === "pass" || (!strict && (treatment === "work" || treatment === "resume"));
}

describe("over random events", () => {
  // proves AGC-02, AGC-04
  it(
    "I10: nothing is forwarded without an allow but what runs no tool, and only what was judged",
    async () => {
      let allowed = 0;
      await fc.assert(
        fc.asyncProperty(events, verdicts, settings, async (event, verdict, known) => {
          const { asked, forwarded, isAnswered } = await run(event, verdict, known);
          expect(isAnswered).toBe(forwarded === null);
          if (forwarded === null) return;
          const [call] = asked;
          if (call === undefined) {
            expect(mayPass(forwarded as { method?: unknown }, known.strict)).toBe(true);
            return;
          }
          allowed += 1;
          expect(asked).toHaveLength(1);
          expect(call.args).toEqual(argumentsIn(sentIn(event)));
          expect(verdict).toMatchObject({ decision: "allow" });
          const wanted =
            (!(verdict instanceof Error) && "shaped_args" in verdict && verdict.shaped_args) || call.args;
          expect(argumentsIn(forwarded)).toEqual(JSON.parse(JSON.stringify(wanted)));
        }),
        { numRuns: RUNS },
      );
      expect(allowed).toBeGreaterThan(RUNS / 20);
    },
    TIMEOUT_MS,
  );
});

/** The message as the most careless reader finds it in the raw text. */
function sentIn(event: unknown): unknown {
  const { mcp } = event as { mcp: { rawGatewayRequest: { body: string } } };
  return JSON.parse(mcp.rawGatewayRequest.body);
}

function argumentsIn(message: unknown): unknown {
  const { method, params: given = {} } = message as { method?: string; params?: Record<string, unknown> };
  if (method === undefined) {
    const { result, error } = message as { result?: unknown; error?: unknown };
    return result === undefined ? { error } : { result };
  }
  if (method === "tools/call") return given["arguments"] ?? {};
  const { _meta, ...args } = given;
  return args;
}
