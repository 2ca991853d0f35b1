// peers: envoy
// long: it waits until a silent session is terminated
import { request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { startExtproc } from "../support/adapters/extproc-process.ts";
import { sendThrough } from "../support/adapters/extproc-stage.ts";
import { startRecordingServer } from "../support/adapters/recording-server.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { NAMES_SESSION, type RunningEnvoy, startEnvoy } from "../support/proxies/envoy-process.ts";
import { createPolicy } from "../support/server/api.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import {
  rolesAt,
  rowsOf,
  STEP_WITHIN_MS,
  severityOf,
  superviseSilent,
  untilSeverity,
} from "../support/server/supervision.ts";

const SESSION = { agentId: "refund-agent", sessionId: "run-1" };
const POLICY = "id: refunds\nagent_id: refund-agent\ntools: { allowed: ['payments.*'] }\n";

/** Sends the first half of a call at once, and the rest when it is told to. */
function slowCall(envoy: RunningEnvoy) {
  const body = Buffer.from(toolsCall({ amount: 5 }));
  const headers = { "content-type": "application/json", "content-length": body.length };
  const { port } = envoy;
  const sent = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers });
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on("response", (response) => resolve(response.resume().statusCode));
    sent.on("error", reject);
  });
  sent.write(body.subarray(0, 10));
  return { status, finish: () => sent.end(body.subarray(10)) };
}

// proves ROGUE-10
// skip: a machine without Envoy; the runner says why there is none
it.skipIf(missing.envoy)(
  "EMERGENCY denies a call that Envoy still receives; one that the backend has goes on",
  async () => {
    const server = await serverOfTest();
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    const anyone = rolesAt(server);
    const answers: (() => void)[] = [];
    const backend = await startRecordingServer((_, response) => {
      answers.push(() => response.end("from the backend"));
    });
    const extproc = await startExtproc(server.url);
    const peers = { extprocPort: extproc.port, backendPort: backend.port };
    const envoy = await startEnvoy(peers, [NAMES_SESSION]);
    onTestFinished(async () => {
      await envoy.stop();
      await extproc.stop("SIGKILL");
      await backend.close();
    });
    const running = sendThrough(envoy, "/mcp", { body: toolsCall({ amount: 4 }) });
    await expect.poll(() => backend.requests.length, { timeout: STEP_WITHIN_MS }).toBe(1);
    await superviseSilent({ operator: anyone, agent: anyone }, SESSION);
    // A call that began before the silence could outlive the adapter's wait for a body.
    const severity = () => severityOf(anyone, SESSION.agentId);
    await expect.poll(severity, { timeout: STEP_WITHIN_MS, interval: 50 }).not.toBe("INFO");
    const arriving = slowCall(envoy);
    await untilSeverity(anyone, SESSION.agentId, "EMERGENCY");

    arriving.finish();
    expect(await arriving.status).toBe(403);
    expect(backend.requests).toHaveLength(1);
    const [, denied] = await rowsOf(anyone, "kind=decision");
    expect(denied).toMatchObject({ decision: "deny", session_id: "run-1" });
    expect(["kill_switch", "severity_emergency"]).toContain(denied?.["reason_code"]);
    // No adapter can call back a request that the backend has.
    for (const answer of answers) answer();
    expect((await running).status).toBe(200);
  },
  90_000,
);
