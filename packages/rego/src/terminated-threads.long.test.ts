// long: a thousand threads are terminated and replaced
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { BUDGETS } from "./rego-limits.ts";
import { HANGS_WHEN_ASKED } from "./testing/hostile-modules.ts";
import { openPatientRego } from "./testing/patient-rego.ts";

const TERMINATIONS = 1_000;

it("replaces a thousand threads under load, and the memory is back afterwards", async () => {
  const codes = new Map<string, number>();
  const onFailure = (code: string): void => void codes.set(code, (codes.get(code) ?? 0) + 1);
  const rego = openPatientRego({ evaluateMs: BUDGETS.evaluateMs, threads: 2, onFailure });
  onTestFinished(() => rego.close());
  const module = { text: HANGS_WHEN_ASKED, data: null };
  const owner = { organization: "org_b", policyId: "pol", version: 1 };
  const neighbour = await rego.prepare(module, owner);
  const terminate = async (version: number): Promise<void> => {
    const prepared = await rego.prepare(module, { ...owner, organization: "org_a", version });
    const hung = prepared.evaluate('{"args":{"hang":true}}');
    for (let call = 0; call < 5; call++) {
      const result = await neighbour.evaluate('{"args":{}}');
      expect(result.kind === "failed" ? ["no"] : result.deny).toEqual(["no"]);
    }
    expect(await hung).toMatchObject({ kind: "failed" });
    prepared.close();
  };
  for (let count = 0; count < 50; count++) await terminate(count);
  await sleep(1_000);
  const before = process.memoryUsage.rss();
  for (let count = 50; count < TERMINATIONS; count++) await terminate(count);
  await sleep(1_000);
  expect(codes.get("rego_timeout")).toBeGreaterThanOrEqual(TERMINATIONS);
  expect(process.memoryUsage.rss()).toBeLessThan(before * 1.1);
});
