import { readFileSync } from "node:fs";
import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { expect, it } from "vitest";
import { judgeToolUse } from "./judge-tool-use.ts";

interface RefusalVector {
  readonly description: string;
  readonly status: number;
  readonly api_key: string | null;
  readonly path: string;
  readonly problem: object | null;
  readonly request_id: string | null;
  readonly reason: string;
  readonly hint: string | null;
}

const file = new URL("../../../../contract/vectors/refusals.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly RefusalVector[] };

const USE = { sessionId: "s-1", tool: "Bash", args: {}, callId: null };

async function reasonFrom({ status, problem, request_id, path, api_key }: RefusalVector): Promise<string> {
  const gateway = await startHttpGateway((request, response) => {
    request.resume();
    const headers = { "content-type": problem === null ? "text/html" : "application/problem+json" };
    const named = request_id === null ? {} : { "x-request-id": request_id };
    response.writeHead(status, { ...headers, ...named }).end(JSON.stringify(problem ?? "<html>"));
  });
  const client = {
    gatewayUrl: new URL(`${gateway.url}${path}`),
    apiKey: api_key,
    orgId: null,
    timeoutMs: 5_000,
    explainsRefusals: true,
  };
  const answer = await judgeToolUse(USE, {
    settings: { client, agentId: "coder", namespace: null },
    notes: null,
  });
  await gateway.close();
  expect(answer).toMatchObject({ kind: "block", cause: "unknown" });
  return answer.kind === "block" ? answer.reason : "";
}

// proves CODE-02
it.each(cases)("$description: a refusal reads as in the client libraries", async (vector) => {
  const { reason, hint } = vector;
  const told = hint === null ? reason : `${reason} ${hint}`;
  const begins = `Bash was denied: ${told} No decision could be obtained, so it was not run.`;
  expect((await reasonFrom(vector)).slice(0, begins.length)).toBe(begins);
});
