import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Decide } from "@svc/contract/decide";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { AllowVerdict, DenyVerdict, Verdict } from "@svc/contract/verdict";
import type { CarriedSession, Heartbeats } from "@svc/decision-client/heartbeats";
import type { Outcome } from "@svc/decision-client/outcome-reports";
import { listenOnLoopback, portOf } from "@svc/decision-client/testing/faulty-gateway";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { LOOPBACK_HOSTS } from "@svc/http-edge/host-check";
import { createJudge } from "../calls/judge.ts";
import { type ActiveSwitch, KillScopes } from "../kills/kill-scopes.ts";
import type { KillState } from "../kills/kill-state.ts";
import { RunningCalls } from "../kills/running-calls.ts";
import { createMcpProxy } from "../mcp-proxy.ts";
import type { McpProxySettings } from "../mcp-proxy-settings.ts";
import { createMemory } from "../memory/memory.ts";
import { PendingAnswers } from "../relay/pending-answers.ts";
import type { Finding } from "../reporter.ts";
import { createMcpServer } from "../upstream/mcp-server.ts";
import { createUpstream } from "../upstream/upstream.ts";
import { echo, type McpServerStub, type Script, startMcpServerStub } from "./mcp-server-stub.ts";
import { recordReports } from "./recording-reporter.ts";

export const ALLOW: AllowVerdict = { decision: "allow", decision_id: "g.1", args_constrained: false };

export const DENY: DenyVerdict = {
  decision: "deny",
  decision_id: "g.2",
  reason: "Refunds are closed.",
  reason_code: "rule",
  rule_id: "closed",
  args_constrained: false,
  fail_closed: false,
};

export interface TestRequest {
  readonly method?: string;
  readonly target?: string;
  /** Names and values in turn, as they go on the wire. `host` replaces the usual one. */
  readonly headers?: readonly (readonly [string, string])[];
  /** An object goes as JSON, bytes and text as they are. */
  readonly body?: object | string | Buffer;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON that the text holds. */
  readonly json: Record<string, unknown>;
}

export interface TestMcpProxy {
  readonly port: number;
  readonly server: McpServerStub;
  /** What the gateway was asked. */
  readonly asked: ExecuteRequest[];
  readonly outcomes: Outcome[];
  /** Kill switches that verdicts named, which the proxy then looked for. */
  readonly soughtSwitches: string[];
  /** Sessions that were said to have ended. */
  readonly endedSessions: CarriedSession[];
  readonly defects: unknown[];
  /** What was reported, in turn. */
  readonly found: Finding[];
  /** The metrics as they are served. */
  metrics(): Promise<string>;
  /** Switches become active, and what runs in their scopes is stopped. */
  kill(...switches: Partial<ActiveSwitch>[]): void;
  /** In place of what the switches say about a scope. */
  killState: KillState | null;
  send(request: TestRequest): Promise<TestAnswer>;
  /** Resolves with the head of the answer, whose body comes as it comes. */
  open(request: TestRequest): Promise<IncomingMessage>;
  close(): Promise<void>;
}

export interface TestOptions {
  readonly decide?: Decide | Verdict;
  readonly settings?: Partial<McpProxySettings>;
  readonly script?: Script;
}

const monotonicMs = (): number => performance.now();

/** Starts the proxy's handler before a scripted server, with a gateway that answers what the test says. */
export async function startTestMcpProxy(options: TestOptions = {}): Promise<TestMcpProxy> {
  const { decide = ALLOW, script = echo } = options;
  const server = await startMcpServerStub(script);
  const gateway = gatewayThat(decide);
  const recording = recordReports(() => running.callCount);
  const { reporter, defects } = recording;
  const running = new RunningCalls({
    monotonicMs,
    onKilled: (latencyMs) => reporter.killed(latencyMs),
  });
  const settings = settingsFor(server, options.settings);
  const upstream = createUpstream(settings.upstream);
  let scopes = new KillScopes([]);
  const proxy: { killState: KillState | null } = { killState: null };
  const handle = createMcpProxy({
    settings,
    reporter,
    judge: createJudge({
      decide: gateway.decide,
      reports: { report: (outcome) => gateway.outcomes.push(outcome) },
      lookForSwitch: (killSwitchId) => gateway.soughtSwitches.push(killSwitchId),
      heartbeats: heartbeatsInto(gateway.endedSessions),
      reporter,
      monotonicMs,
    }),
    running,
    pending: new PendingAnswers(),
    server: createMcpServer({ url: settings.upstream, upstream, pseudonym: "svc-mcp-proxy-test" }),
    ...createMemory({ monotonicMs, reporter, pins: null }),
    killState: (scope) => {
      const killSwitchId = scopes.stopping(scope);
      if (proxy.killState !== null) return proxy.killState;
      return killSwitchId === null ? { kind: "clear" } : { kind: "killed", killSwitchId };
    },
  });
  const edge = createEdgeServer({ handle, onError: (error) => defects.push(error) });
  const close = await listenOnLoopback(edge);
  const port = portOf(edge);
  const { decide: _, ...seenByGateway } = gateway;
  return Object.assign(proxy, {
    port,
    server,
    ...seenByGateway,
    defects,
    found: recording.found,
    metrics: () => recording.metrics(),
    kill: (...switches: Partial<ActiveSwitch>[]) => {
      const usual = { id: "ks_1", scope: "agent", target: null, accountWide: false } as const;
      scopes = new KillScopes(switches.map((one) => ({ ...usual, ...one })));
      running.enforce(scopes);
    },
    send: async (request: TestRequest) => readWhole(await open(port, request)),
    open: (request: TestRequest) => open(port, request),
    close: async () => {
      await upstream.close();
      await close();
      await server.close();
    },
  });
}

interface TestGateway {
  readonly decide: Decide;
  readonly asked: ExecuteRequest[];
  readonly outcomes: Outcome[];
  readonly soughtSwitches: string[];
  /** Sessions that were said to have ended. */
  readonly endedSessions: CarriedSession[];
}

function gatewayThat(decide: Decide | Verdict): TestGateway {
  const asked: ExecuteRequest[] = [];
  const recorded: Decide = (call, options) => {
    asked.push(call);
    return typeof decide === "function" ? decide(call, options) : Promise.resolve(decide);
  };
  return { decide: recorded, asked, outcomes: [], soughtSwitches: [], endedSessions: [] };
}

function settingsFor(server: McpServerStub, known: Partial<McpProxySettings> = {}): McpProxySettings {
  return {
    upstream: new URL(`${server.url}/mcp`),
    mcpId: null,
    passPaths: [],
    identity: { agentId: "agent-1", namespace: null },
    strict: false,
    denyAs: "error",
    metaSession: "accept",
    sessionFallback: "off",
    toolPinning: "report",
    approval: "off",
    allowedHosts: LOOPBACK_HOSTS,
    upstreamTimeoutMs: 2_000,
    ...known,
  };
}

function open(port: number, request: TestRequest): Promise<IncomingMessage> {
  const { target = "/mcp", headers = [], body } = request;
  const method = request.method ?? (body === undefined ? "GET" : "POST");
  const bytes = typeof body === "object" && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const usual: (readonly [string, string])[] = [
    ["host", `127.0.0.1:${String(port)}`],
    ["accept", "application/json, text/event-stream"],
    ...(bytes === undefined ? [] : ([["content-type", "application/json"]] as const)),
  ];
  const length = bytes === undefined ? [] : ["content-length", String(Buffer.byteLength(bytes))];
  const flat = [...usual.filter(([name]) => !given.has(name)), ...headers].flat();
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      port,
      host: "127.0.0.1",
      method,
      path: target,
      headers: [...flat, ...length],
      agent: false,
      setHost: false,
    });
    outgoing.on("error", reject);
    outgoing.on("response", resolve);
    outgoing.end(bytes);
  });
}

export async function readWhole(response: IncomingMessage): Promise<TestAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const isJson = response.headers["content-type"]?.includes("json") === true;
  const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}

/** A tools/call of the tool `echo`, but for what is said otherwise. */
export function callOf(params: object = {}, id: unknown = 1): object {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "echo", arguments: { text: "hi" }, ...params },
  };
}

function heartbeatsInto(ended: CarriedSession[]): Pick<Heartbeats, "judged" | "ended"> {
  return { judged: () => undefined, ended: (session) => ended.push(session) };
}
