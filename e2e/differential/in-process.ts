import type { Verdict } from "@svc/contract/verdict";
import { testGateway } from "@svc/gateway/testing/test-gateway";
import { policies, STOPPED_SESSION, switches } from "./policies.ts";
import { executeRequest, type SeamCall, sessionAt } from "./seam.ts";

/** What the engine and the gateway rule, called as functions over stores in memory, in this order. */
export async function ruleInProcess(name: string, calls: readonly SeamCall[]): Promise<readonly Verdict[]> {
  const gateway = await testGateway();
  for (const { id, yaml, binding } of policies) gateway.feed.putPolicy(id, yaml, binding);
  const session = { scope: "session", target_id: sessionAt(STOPPED_SESSION, name) } as const;
  for (const [index, target] of [...switches, session].entries()) {
    gateway.feed.putSwitch({ ...target, kill_switch_id: `ks_${String(index)}` });
  }
  await gateway.follower.catchUp();
  const verdicts: Verdict[] = [];
  for (const call of calls) verdicts.push(await gateway.execute(executeRequest(call)));
  return verdicts;
}
