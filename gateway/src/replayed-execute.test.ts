import type { ExecuteRequest } from "@svc/contract/execute-request";
import { beforeEach, describe, expect, it } from "vitest";
import { ReplayCache } from "./replay-cache.ts";
import { executeOnce } from "./replayed-execute.ts";
import { call, PRINCIPAL, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const POLICY = "id: p\ntools: { allowed: ['payments.*'] }\nsession: { max_steps: 5 }\n";

let gateway: TestGateway;
let replays: ReplayCache;

beforeEach(async () => {
  gateway = await testGateway();
  replays = new ReplayCache(gateway.clock);
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
});

function once(idempotencyKey: string, bodyDigest = "d1", request: ExecuteRequest = call()) {
  return executeOnce({ ...gateway.parts, replays }, PRINCIPAL, request, { idempotencyKey, bodyDigest });
}

describe("executeOnce", () => {
  // proves EXEC-16
  it("E18: counts a call once however often it is repeated, also at the same time", async () => {
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => once("k1")));
    expect(new Set(verdicts.map((verdict) => verdict?.decision_id))).toEqual(new Set(["gw_test.0"]));
    expect(gateway.rows()).toHaveLength(1);
  });

  it("E18: refuses the same key with another body", async () => {
    await once("k1");
    expect(await once("k1", "d2")).toBeNull();
  });

  // proves EXEC-17
  it("a repeated allow does not get around a newer kill switch", async () => {
    expect(await once("k1")).toMatchObject({ decision: "allow" });
    gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    expect(await once("k1")).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
  });

  it("a repeated allow does not outlive the policy that gave it", async () => {
    expect(await once("k1")).toMatchObject({ decision: "allow", policy_version: 1 });
    const source = "id: p\ntools: { denied: ['*'] }\n";
    gateway.feed.put({ kind: "policy", policyId: "p", version: 2, enabled: true, source });
    await gateway.follower.catchUp();
    expect(await once("k1")).toMatchObject({ decision: "deny", policy_version: 2 });
  });

  it("forgets verdicts that a fault caused, and old ones", async () => {
    gateway.ledger.beforeCommit = () => Promise.reject(new Error("disk full"));
    expect(await once("k1")).toMatchObject({ reason_code: "audit_unavailable" });
    gateway.ledger.beforeCommit = async () => undefined;
    expect(await once("k1")).toMatchObject({ decision: "allow", decision_id: "gw_test.0" });
    gateway.clock.ms += 60_000;
    await gateway.follower.catchUp();
    expect(await once("k1", "d2")).toMatchObject({ decision: "allow", decision_id: "gw_test.1" });
  });
});
