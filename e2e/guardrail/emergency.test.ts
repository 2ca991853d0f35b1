// peers: portkey
// long: it waits until a silent session is terminated
import { expect, it, onTestFinished } from "vitest";
import { startCheckgw } from "../support/adapters/checkgw-process.ts";
import { startRecordingServer } from "../support/adapters/recording-server.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { createPolicy } from "../support/server/api.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import {
  rolesAt,
  rowsOf,
  STEP_WITHIN_MS,
  superviseSilent,
  untilSeverity,
} from "../support/server/supervision.ts";
import { SHIPPED_AGENT } from "./llm-gateway.suite.ts";
import { askModel } from "./llm-gateway.ts";
import { chatCompletion } from "./model-wires.ts";
import { startPortkey } from "./portkey-process.ts";

const POLICY = `id: support\nagent_id: ${SHIPPED_AGENT}\ntools: { allowed: [llm.*, payments.*] }\n`;
const SESSION = { agentId: SHIPPED_AGENT, sessionId: "run-1" };
const CALL = { tool: "payments.refund", args: { amount: 5 } };

// proves ROGUE-10
// skip: needs Portkey, which the test runner installs where it can
it.skipIf(missing.portkey)(
  "EMERGENCY blocks the answer of a model that was asked before",
  async () => {
    const server = await serverOfTest();
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    const anyone = rolesAt(server);
    const answers: (() => void)[] = [];
    const model = await startRecordingServer((_, response) => {
      const text = JSON.stringify(chatCompletion({ calls: [CALL] }));
      response.setHeader("content-type", "application/json");
      answers.push(() => response.end(text));
    });
    const checkgw = await startCheckgw(server.url);
    const started = await startPortkey({ checkgwPort: checkgw.port, modelPort: model.port });
    onTestFinished(async () => {
      await started.stop();
      await checkgw.stop();
      await model.close();
    });
    const metadata = JSON.stringify({ session_id: SESSION.sessionId });
    const llm = { ...started, headers: { ...started.headers, "x-portkey-metadata": metadata } };
    const running = askModel(llm);
    await expect.poll(() => model.requests.length, { timeout: STEP_WITHIN_MS }).toBe(1);
    await superviseSilent({ operator: anyone, agent: anyone }, SESSION);
    await untilSeverity(anyone, SESSION.agentId, "EMERGENCY");

    for (const answer of answers) answer();
    const { status, body } = await running;
    expect(status).toBe(446);
    expect(body).not.toHaveProperty("choices");
    const decisions = await rowsOf(anyone, "kind=decision");
    expect(decisions.map(({ tool, decision, session_id }) => [tool, decision, session_id])).toEqual([
      ["llm.request", "allow", "run-1"],
      ["payments.refund", "deny", "run-1"],
    ]);
  },
  90_000,
);
