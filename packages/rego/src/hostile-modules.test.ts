// long: fifty threads are terminated and replaced
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUDGETS, START_LIMIT_MS } from "./rego-limits.ts";
import type { PreparedRego, RegoRuntime } from "./rego-runtime.ts";
import { HOSTILE_MODULES } from "./testing/hostile-modules.ts";
import { openPatientRego } from "./testing/patient-rego.ts";

const INPUT = '{"tool":"x","args":{}}';

let rego: RegoRuntime;
let neighbour: PreparedRego;

beforeAll(async () => {
  rego = openPatientRego({ evaluateMs: BUDGETS.evaluateMs, threads: 2 });
  const module = { text: 'package n\ndeny contains "always"', data: null };
  neighbour = await rego.prepare(module, { organization: "org_b", policyId: "pol_b", version: 1 });
}, START_LIMIT_MS);

afterAll(async () => {
  await rego.close();
});

describe("a hostile module is answered with a deny, and the calls of another organization go on", () => {
  it.each(HOSTILE_MODULES)("%s", async (name, text) => {
    const owner = { organization: "org_a", policyId: name, version: 1 };
    const prepared = await rego.prepare({ text, data: null }, owner);
    const [hostile, ...others] = await Promise.all([
      prepared.evaluate(INPUT),
      neighbour.evaluate(INPUT),
      neighbour.evaluate(INPUT),
    ]);
    prepared.close();
    expect(hostile).toMatchObject({ kind: "failed" });
    // On a busy machine a call may be late. It is never answered as one that nothing denies.
    const messages = { kind: "messages", deny: ["always"], requireApproval: [] };
    for (const other of others) expect(other.kind === "failed" ? messages : other).toEqual(messages);
  });
});
