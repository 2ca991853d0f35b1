import { KeyedDigest } from "@svc/text/keyed-digest";
import { describe, expect, it } from "vitest";
import type { CallFacts } from "../call-facts.ts";
import { LocalArguments } from "../evaluate/call-content.ts";
import { type Ruling, ruling } from "../evaluate/ruling.ts";
import { DIGEST_KEY } from "../testing/gateway-over.ts";
import { decisionRow } from "./decision-row.ts";

const CALL: CallFacts = {
  org: "acme",
  principal: 'key-"1"',
  namespace: "default",
  namesNamespace: false,
  namesArePlain: true,
  traceId: null,
  agentId: "agent-1",
  sessionId: "s-1",
  tool: "pay.refund",
  timeMs: 1_000,
  costMicroUsd: null,
  costIsTrusted: false,
};

const ALLOWED: Partial<Ruling> = {
  decision: "allow",
  reason: null,
  reasonCode: null,
  failClosed: false,
  policy: { id: "p", version: 3, mode: "enforcement" },
  costMicroUsd: 100_000,
};

function textOf(call: CallFacts, known: Partial<Ruling>): string {
  const args = new LocalArguments({ amount: 1.5, note: "naïve" });
  const moment = { time: new Date(1_700_000_000_000), latencyUs: 42 };
  const digest = new KeyedDigest(DIGEST_KEY);
  return decisionRow(call, args, { ruled: ruling(known), moment, policy: null, digest }).text;
}

/** Recorded before there was one writer for all rows. Rows that are stored must stay what they are. */
describe("the bytes of a row", () => {
  it("are those of every allow that was written before", () => {
    expect(textOf(CALL, ALLOWED)).toMatchInlineSnapshot(
      `"{"agent_id":"agent-1","approval_id":null,"args":{"amount":1.5,"note":"naïve"},"args_digest":"hmac-sha256:102af03cc9416e68232476ab28d1a7d55f4cc15ff54a4da4d2626d52248ce4ad","call_digest":"hmac-sha256:ed76b0a338b442cf45e7dfd31ffa6072952786f80f3313760068c6b586f9b5e3","cost_usd":"0.1","decision":"allow","fail_closed":false,"kill_switch_id":null,"kind":"decision","latency_us":42,"mode":"enforcement","namespace":"default","org":"acme","policy_id":"p","policy_version":3,"principal":"key-\\"1\\"","reason":null,"reason_code":null,"rule_id":null,"session_id":"s-1","shaped_args_digest":null,"steps":0,"time":"2023-11-14T22:13:20.000Z","tool":"pay.refund","trigger_source":null,"v":1,"would_be":null}"`,
    );
  });

  it("are those of a ruling that says everything that a row can say", () => {
    const everything: Partial<Ruling> = {
      ...ALLOWED,
      ruleId: "cap",
      wouldBe: { decision: "deny", reason: "no", reason_code: "rule", rule_id: "r" },
      wantedArgs: { amount: 1 },
      pauseId: "apr_1",
      killSwitch: { id: "ks_1", triggerSource: "manual" },
      observed: { steps: 2, costMicroUsd: 5 },
      evaluatedAtMs: 1_000,
      rego: { kind: "messages", deny: ["d"], requireApproval: [] },
    };
    const call = { ...CALL, sessionId: null, costMicroUsd: 7, costIsTrusted: true };
    expect(textOf(call, everything)).toMatchInlineSnapshot(
      `"{"agent_id":"agent-1","approval_id":"apr_1","args":{"amount":1.5,"note":"naïve"},"args_digest":"hmac-sha256:102af03cc9416e68232476ab28d1a7d55f4cc15ff54a4da4d2626d52248ce4ad","call_digest":"hmac-sha256:fdadd411238a01368b2b215d9bed80f5a91f4bad76af58e5359eaafd8fbde612","cost_usd":"0.1","decision":"allow","evaluated_at":"1970-01-01T00:00:01.000Z","fail_closed":false,"kill_switch_id":"ks_1","kind":"decision","latency_us":42,"mode":"enforcement","namespace":"default","org":"acme","policy_id":"p","policy_version":3,"principal":"key-\\"1\\"","reason":null,"reason_code":null,"rego":{"deny":["d"],"failed":null,"require_approval":[]},"requested_cost":{"trusted":true,"usd":"0.000007"},"rule_id":"cap","session_id":null,"session_usage":{"cost_usd":"0.000005","steps":2},"shaped_args_digest":"hmac-sha256:462061d4266c7bc4328646f79ac72afc37404de4edaf29004f2255063ddf60c7","steps":0,"time":"2023-11-14T22:13:20.000Z","tool":"pay.refund","trigger_source":"manual","v":1,"would_be":{"decision":"deny","reason":"no","reason_code":"rule","rule_id":"r"}}"`,
    );
  });
});
