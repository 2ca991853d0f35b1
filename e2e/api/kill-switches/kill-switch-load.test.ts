// long: it activates 50 switches while 100 calls are under way

import { setImmediate as turn } from "node:timers/promises";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { describe, expect, it, vi } from "vitest";
import { steadyLoad, type TimedAnswer } from "../../support/requests/load.ts";
import { createPolicy, send } from "../../support/server/api.ts";
import { allowedIds, checkedExport, withoutRow } from "../../support/server/audit-export.ts";
import { activateEnforced } from "../../support/server/kill-switches.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const KILLS = 50;
const CALLS_IN_FLIGHT = 100;

/** Governs every agent of the namespace in which the load runs. */
const NAMESPACE_POLICY = "id: everybody\ntools: { allowed: ['payments.*'] }\n";

const agentName = (index: number): string => `loaded-${String(index % KILLS)}`;

/**
 * Activates a switch and waits until it is enforced. Resolves with the time from which no answer may allow:
 * what had left the server before is read by then.
 */
async function enforcedAtMs(url: string, agentId: string): Promise<number> {
  await activateEnforced(url, { scope: "agent", target_id: agentId });
  await turn();
  await turn();
  return performance.now();
}

const allows = (answers: readonly TimedAnswer[], agentId: string): readonly TimedAnswer[] =>
  answers.filter(({ body, call }) => body["decision"] === "allow" && call["agent_id"] === agentId);

describe("a kill switch under load", () => {
  // proves KILL-04, KILL-21
  it("I1, I5: is followed by no allow of its scope, 50 times, and stops no other call", async () => {
    const { url } = await serverOfTest();
    expect((await createPolicy(url, NAMESPACE_POLICY)).status).toBe(201);
    const binding = { policy_id: "everybody", namespace_id: "default" };
    expect((await send("POST", `${url}/v1/policy-assignments`, { body: binding })).status).toBe(201);
    const load = steadyLoad(url, CALLS_IN_FLIGHT, (index) => ({
      agent_id: agentName(index),
      session_id: `s-${String(index)}`,
    }));
    await vi.waitFor(() => expect(load.answers.length).toBeGreaterThan(1_000), CONDITION_MS);
    const enforcedMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const spared = allows(load.answers, agentName(kill)).length;
      await vi.waitFor(
        () => expect(allows(load.answers, agentName(kill)).length).toBeGreaterThan(spared),
        10_000,
      );
      enforcedMs.push(await enforcedAtMs(url, agentName(kill)));
    }
    const answers = await load.stop();
    const late = enforcedMs.flatMap((atMs, kill) =>
      allows(answers, agentName(kill)).filter((answer) => answer.atMs > atMs),
    );
    expect(late).toEqual([]);
    expect(withoutRow(allowedIds(answers), await checkedExport(url))).toEqual([]);
  });
});
