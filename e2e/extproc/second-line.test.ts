// peers: envoy

import { findFreePort } from "@svc/process/free-port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendThrough, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, verdict } from "../support/adapters/gateway-verdicts.ts";
import {
  type ProcessorStream,
  type ProxyMessage,
  type ScriptedProcessor,
  startScriptedProcessor,
} from "../support/adapters/scripted-processor.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { type ConfigurationChange, type RunningEnvoy, startEnvoy } from "../support/proxies/envoy-process.ts";
import { startWatchingBackend, type WatchingBackend } from "../support/proxies/watching-backend.ts";

const MODES = ["BUFFERED", "FULL_DUPLEX_STREAMED"] as const;
const PERMISSIVE: ConfigurationChange = ["failure_mode_allow: false", "failure_mode_allow: true"];

type Script = (message: ProxyMessage, stream: ProcessorStream) => void;

/** Answers the message as a processor does that has nothing to say. */
const goOn: Script = ({ request = "" }, stream) => {
  stream.write({ [request]: request.endsWith("trailers") ? {} : { response: {} } });
};

function mark(header: object): Script {
  return ({ request = "" }, stream) => {
    const set = { header_mutation: { set_headers: [{ header, append_action: 2 }] } };
    stream.write({ [request]: request.endsWith("trailers") ? {} : { response: set } });
  };
}

/** What a broken, replaced or misconfigured processor might do. */
const scripts: Readonly<Record<string, Script>> = {
  "X1: ends with OK at once": (_, stream) => void stream.end(),
  "X1: goes on with the headers, then ends with OK": (message, stream) => {
    if (message.request === "request_headers") goOn(message, stream);
    stream.end();
  },
  "goes on with everything": goOn,
  "answers another kind of message": (_, stream) => void stream.write({ response_headers: { response: {} } }),
  "answers twice": (message, stream) => {
    goOn(message, stream);
    goOn(message, stream);
  },
  "marks a deny": mark({ key: "x-svc-decision", raw_value: Buffer.from("deny") }),
  "marks in other case": mark({ key: "x-svc-decision", raw_value: Buffer.from("Allow") }),
  "marks with more": mark({ key: "x-svc-decision", raw_value: Buffer.from("allow, allow") }),
  "X9: marks with `value` alone, which Envoy takes for nothing": mark({
    key: "x-svc-decision",
    value: "allow",
  }),
  "ends with an error": (_, stream) => void stream.emit("error", { code: 13, details: "no" }),
};

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy).each(MODES)("the second line of defence behind a processor, %s", (mode) => {
  let script: Script = goOn;
  let processor: ScriptedProcessor;
  let backend: WatchingBackend;
  const envoys: { readonly failureModeAllow: boolean; readonly envoy: RunningEnvoy }[] = [];
  beforeAll(async () => {
    processor = await startScriptedProcessor((message, stream) => script(message, stream));
    backend = await startWatchingBackend();
    const peers = { extprocPort: processor.port, backendPort: backend.port };
    const changes: ConfigurationChange[] = [
      ["request_body_mode: BUFFERED", `request_body_mode: ${mode}`],
      ["message_timeout: 6s", "message_timeout: 1s"],
      ["stream_idle_timeout: 15s", "stream_idle_timeout: 1s"],
      // The routes of MCP have one of their own.
      [/idle_timeout: 300s/g, "idle_timeout: 1s"],
    ];
    envoys.push({ failureModeAllow: false, envoy: await startEnvoy(peers, changes) });
    envoys.push({ failureModeAllow: true, envoy: await startEnvoy(peers, [...changes, PERMISSIVE]) });
  });
  afterAll(async () => {
    for (const { envoy } of envoys) await envoy.stop();
    processor?.close();
    await backend?.close();
  });

  // proves XPR-06
  it.each(Object.keys(scripts))("refuses every request that passes a processor that %s", async (name) => {
    script = scripts[name] ?? goOn;
    for (const { failureModeAllow, envoy } of envoys) {
      for (const request of [{ body: toolsCall({}) }, { method: "GET" }]) {
        const answer = await sendThrough(envoy, "/mcp", request);
        expect([failureModeAllow, [403, 500, 504].includes(answer.status), answer.status]).toEqual([
          failureModeAllow,
          true,
          answer.status,
        ]);
        expect(backend.seen).toEqual([]);
      }
    }
  });

  it("says so in the form of a deny, and counts it", async () => {
    script = goOn;
    const [first] = envoys;
    const answer = await sendThrough(first!.envoy, "/mcp", { method: "GET" });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(answer.body)).toMatchObject({ decision: "deny", fail_closed: true });
    expect(await first!.envoy.stat("http.governed.rbac.denied")).toBeGreaterThan(0);
  });
});

const OBSERVING: ConfigurationChange = [
  "failure_mode_allow: false",
  "failure_mode_allow: false\n                      observability_mode: true",
];

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("the second line of defence before an unsuitable configuration", () => {
  // proves XPR-06
  it("X2: observability mode: refused, and the processor reports it", async () => {
    const stage = await startStage({ changes: [OBSERVING] });
    try {
      stage.gateway.respondWith(verdict(ALLOW));
      for (const request of [{ body: toolsCall({}) }, { method: "GET" }]) {
        expect((await sendThrough(stage.envoy, "/mcp", request)).status).toBe(403);
      }
      expect(stage.backend.seen).toEqual([]);
      const finding = 'svc_extproc_findings_total{finding="observed"}';
      await expect.poll(() => stage.extproc.counter(finding)).toBe(2);
    } finally {
      await stage.close();
    }
  });

  it.each(MODES)("failure_mode_allow with no processor at all: refused, %s", async (mode) => {
    const backend = await startWatchingBackend();
    const envoy = await startEnvoy({ extprocPort: await findFreePort(), backendPort: backend.port }, [
      PERMISSIVE,
      ["request_body_mode: BUFFERED", `request_body_mode: ${mode}`],
    ]);
    try {
      for (const request of [{ body: toolsCall({}) }, { method: "GET" }]) {
        expect([403, 500]).toContain((await sendThrough(envoy, "/mcp", request)).status);
      }
      expect(backend.seen).toEqual([]);
    } finally {
      await envoy.stop();
      await backend.close();
    }
  });
});
