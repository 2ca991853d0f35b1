// peers: nginx
import { isOverrideHeader, OVERRIDE_HEADERS } from "@svc/tool-calls/override-headers";
import { describe, expect, it, onTestFinished } from "vitest";
import { answerFromBackend, startRecordingServer } from "../support/adapters/recording-server.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { sendRaw } from "../support/requests/raw-http.ts";
import { startGuardrailEdge } from "./guardrail-edge-process.ts";

const KEY = "k".repeat(32);
const CLIENTS = [`"~^${KEY}$" '{"provider":"openai"}';`];

// skip: a machine without nginx; the runner says why there is none
describe.skipIf(missing.nginx)("the shipped edges before LLM gateways", () => {
  // proves ADP-06, ADP-07
  it.each(["portkey", "litellm"] as const)("%s gets no override header and no upgrade", async (before) => {
    const model = await startRecordingServer(answerFromBackend);
    const edge = await startGuardrailEdge({ before, gatewayPort: model.port, clients: CLIENTS });
    onTestFinished(async () => {
      await edge.stop();
      await model.close();
    });
    const overrides = OVERRIDE_HEADERS.flatMap(({ name }) => [
      `${name}: /x`,
      `${name.replaceAll("-", ".")}: /x`,
    ]);
    const headers = [
      `Authorization: Bearer ${KEY}`,
      "Connection: Upgrade",
      "Upgrade: h2c",
      "HTTP2-Settings: AAAA",
    ];
    const request = { method: "POST", target: "/v1/chat/completions?x=/admin", body: "{}" };
    const { status } = await sendRaw(edge.port, { ...request, headers: [...headers, ...overrides] });
    expect(status).toBe(200);
    const [seen] = model.requests;
    const names = (seen?.rawHeaders ?? []).filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    expect(seen).toMatchObject({ method: "POST", url: "/v1/chat/completions" });
    expect(names.filter((name) => isOverrideHeader(name) || /upgrade|http2/.test(name))).toEqual([]);
  });
});
