import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { expect, it } from "vitest";
import { SvcClient } from "../svc-client.ts";
import { governed } from "./ai-governed-tools.ts";

const ALLOW = { decision: "allow", decision_id: "g.1", args_constrained: false };

it("asks before and when a call runs in one session, under one key", async () => {
  const asked: (readonly [unknown, unknown])[] = [];
  const gateway = await startHttpGateway((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { session_id: session } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        session_id?: string;
      };
      if (request.url?.endsWith("/execute") === true)
        asked.push([session, request.headers["idempotency-key"]]);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ALLOW));
    });
  });
  const client = new SvcClient({ baseUrl: gateway.url });
  const sessionId = (context: unknown) => (context as { user: string }).user;
  const pay: { execute: (input: unknown, options: { toolCallId: string; context: unknown }) => unknown } = {
    execute: (input) => input,
  };
  const { tools, toolApproval } = governed({ pay }, { agentId: "agent-1", client, sessionId });
  const [input, context] = [{ amount: 5 }, { user: "user-1" }];

  await toolApproval({
    toolCall: { toolName: "pay", toolCallId: "c", input },
    toolsContext: { pay: context },
  });
  await tools.pay.execute(input, { toolCallId: "c", context });

  await client.settled();
  await gateway.close();
  expect(asked[0]?.[0]).toBe("user-1");
  expect(asked[1]).toEqual(asked[0]);
});
