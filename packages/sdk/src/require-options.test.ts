import { describe, expect, it, vi } from "vitest";
import { governCall } from "./govern-call.ts";
import { governed } from "./governed.ts";
import { governedFn } from "./governed-fn.ts";
import { SvcClient } from "./svc-client.ts";

const client = new SvcClient({ baseUrl: "http://127.0.0.1:1" });
const fn = vi.fn<() => void>();
const AGENT = { agentId: "agent-1", client };

/** A call as JavaScript may make it, where no compiler looks. */
const untyped = (run: (...args: never[]) => unknown, ...args: readonly unknown[]): unknown =>
  Reflect.apply(run, undefined, args);

describe("a mistake in the options is found where it is made", () => {
  it.each<readonly [string, () => unknown, string]>([
    ["a client with a misspelled address", () => untyped(makeClient, { baseURL: "x" }), "found baseURL"],
    ["a client without an object", () => untyped(makeClient, "http://x"), "found string"],
    ["a time-out of 0", () => makeClient({ timeoutMs: 0 }), "from 50 to 60000, found 0"],
    [
      "an observer that is not a function",
      () => untyped(makeClient, { onFault: 1 }),
      "onFault: expected a function",
    ],
    [
      "governedFn without options",
      () => untyped(governedFn, "pay"),
      "expected an object of options (agentId",
    ],
    [
      "governedFn without an agent",
      () => untyped(governedFn, "pay", {}),
      "governedFn: agentId: expected 1 to",
    ],
    [
      "governedFn with a tool that ends with a blank",
      () => governedFn("a b ", AGENT),
      "governedFn: tool: expected 1",
    ],
    ["governedFn with a misspelled option", () => untyped(governedFn, "pay", { agent: "a" }), "found agent"],
    [
      "governedFn with names that are none",
      () => untyped(governedFn, "p", { ...AGENT, parameters: "a" }),
      "a list",
    ],
    [
      "governedFn of nothing",
      () => untyped(governedFn("pay", AGENT)),
      "expected a function, found undefined",
    ],
    ["heartbeats of nobody", () => client.heartbeats("", "s-1"), "agentId: expected 1 to"],
    [
      "a report of another status",
      () => untyped(report, { decisionId: "g.1", status: "done" }),
      'found "done"',
    ],
    ["a report of nothing", () => untyped(report, { status: "failed" }), "decisionId: expected"],
    [
      "a report with a time before the call",
      () => report({ decisionId: "g.1", status: "failed", durationMs: -1 }),
      "durationMs: expected milliseconds from 0, or null, found -1",
    ],
  ])("%s", (_name, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it.each<readonly [string, () => unknown, string]>([
    ["governCall without options", () => untyped(governCall, "pay", {}), "governCall: expected an object"],
    [
      "governCall without fn",
      () => untyped(governCall, "pay", {}, AGENT),
      "fn: expected a function, found undefined",
    ],
    [
      "governCall with a misspelled option",
      () => untyped(governCall, "p", {}, { ...AGENT, fn, x: 1 }),
      "found x",
    ],
    ["governed without options", () => untyped(governed), "governed: expected an object of options"],
    ["governed without a run", () => untyped(governed, AGENT), "governed(options, run): expected a function"],
    ["governed without an agent", () => untyped(governed, { client }, fn), "agentId: expected 1 to"],
    ["a step whose fn is not a function", () => step({ fn: 1 }), "fn: expected a function, found number"],
  ])("%s, before anybody is asked", async (_name, make, message) => {
    await expect(make()).rejects.toThrow(message);
    expect(fn).not.toHaveBeenCalled();
  });

  it.each(["execute", "decide"] as const)("%s with an option that nobody knows throws", async (way) => {
    const misspelled = { agentId: "agent-1", session_id: "s-1" };
    const asked = client[way]("pay", {}, misspelled);
    await expect(asked).rejects.toThrow(TypeError);
    await expect(asked).rejects.toThrow(
      /^\w+: expected options .*; found session_id\. Did you mean sessionId\?$/,
    );
    await expect(untyped(client[way].bind(client), "pay", {})).rejects.toThrow(
      "expected an object of options",
    );
  });
});

function makeClient(options: ConstructorParameters<typeof SvcClient>[0]): SvcClient {
  return new SvcClient(options);
}

function report(outcome: Parameters<SvcClient["report"]>[0]): void {
  client.report(outcome);
}

function step(options: object): Promise<unknown> {
  return governed(AGENT, (context) => context.execute("pay", {}, options));
}
