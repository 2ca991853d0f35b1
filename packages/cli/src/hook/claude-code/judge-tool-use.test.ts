import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { expect, it, onTestFinished } from "vitest";
import { judgeToolUse } from "./judge-tool-use.ts";

const PAUSE = {
  decision: "pause",
  decision_id: "gw_1f0c.3",
  reason: "rogue detection suspends session s-1",
  policy_id: "p",
  policy_version: 1,
  mode: "enforcement",
  args_constrained: false,
  expires_at: "2026-11-22T03:00:00.000Z",
};

// proves CODE-02
it.each([
  ["approval_required", "apr_1", "paused", "Approve it at"],
  ["agent_suspended", "hld_1", "held", "Nobody can approve it. Make the same call again later"],
])("says whether a person can let a paused call run: %s", async (...[reason_code, id, cause, says]) => {
  const gateway = await startHttpGateway((request, response) => {
    request.resume();
    const verdict = { ...PAUSE, reason_code, approval_url: `https://svc.example/approvals/${id}` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(verdict));
  });
  onTestFinished(() => gateway.close());
  const client = {
    gatewayUrl: new URL(gateway.url),
    apiKey: null,
    orgId: null,
    timeoutMs: 5_000,
    explainsRefusals: true,
  };
  const use = { sessionId: "s-1", tool: "Bash", args: {}, callId: null };
  const settings = { client, agentId: "coder", namespace: null };
  const answer = await judgeToolUse(use, { settings, notes: null });
  expect(answer).toMatchObject({ kind: "block", cause, reason: expect.stringContaining(says) as string });
});
