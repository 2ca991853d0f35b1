import { ALLOW_BODY } from "@svc/decision-client/testing/answers";
import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { expect, it, onTestFinished } from "vitest";
import { SvcClient } from "./svc-client.ts";

const CALL = { agentId: "agent-1" };

// proves FAIL-10
it("a second answer to one question is not the answer to the next", async () => {
  const names: string[] = [];
  const gateway = await startHttpGateway((request, response) => {
    request.resume();
    names.push(String(request.headers["x-request-id"]));
    const repeated = names.length === 2 ? names[0] : names.at(-1);
    response.writeHead(200, { "content-type": "application/json", "x-request-id": repeated }).end(ALLOW_BODY);
  });
  onTestFinished(() => gateway.close());
  const client = new SvcClient({ baseUrl: gateway.url });
  const verdicts = [];
  for (let count = 0; count < 3; count += 1) verdicts.push(await client.decide("payments.refund", {}, CALL));
  expect(verdicts).toMatchObject([
    { decision: "allow" },
    {
      decision: "deny",
      reason_code: "gateway_unreachable",
      reason: expect.stringContaining("ANSWER_TO_ANOTHER_REQUEST"),
    },
    { decision: "allow" },
  ]);
  expect(new Set(names).size).toBe(3);
});
