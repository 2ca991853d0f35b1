import type { AuditIndex } from "@svc/audit-index/audit-index";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { problem } from "@svc/contract/problem";
import { adminPrincipal } from "@svc/contract/testing/principals";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { checkDocument } from "@svc/policy-analysis/check-document";
import { ReplayerThread } from "@svc/policy-threads/replayer-thread";
import { SimulatorThread } from "@svc/policy-threads/simulator-thread";
import { systemClock } from "@svc/process/clock";
import { type MemoryStore, openMemoryStore } from "@svc/store/testing/memory-store";
import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, onTestFinished } from "vitest";
import type { Authenticate } from "../authentication.ts";
import { composeControl, type ProcessPorts } from "../compose-control.ts";
import { type ApiParts, controlApp } from "../control-app.ts";
import { RateLimits } from "../rate-limits/rate-limits.ts";
import { serveWeb } from "../web-app.ts";
import { askApp } from "./ask-app.ts";

export interface ControlApi {
  readonly port: number;
  readonly url: string;
  readonly store: MemoryStore;
  /** Lines of the log, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly ask: (method: string, path: string, init?: RequestInit) => Promise<ApiAnswer>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ControlApiOptions {
  readonly store?: MemoryStore;
  readonly parts?: Partial<ApiParts>;
  readonly controlPlane?: Partial<ControlPlanePorts>;
}

/** `Bearer <name>` authenticates as the admin key of that name, no header as `key`, `Bearer x` as nobody. */
const byName: Authenticate = ({ headers: { authorization = "Bearer key" } }) => {
  const id = authorization.replace("Bearer ", "");
  if (id === "x") return { kind: "problem", problem: problem("unauthenticated", "no key") };
  return { kind: "principal", principal: adminPrincipal({ id }), refusal: () => null };
};

const NO_EFFECT = { gateways: [], affected: { agents: [], sessions: [] }, sighting: null };

/** A store in memory has no index: routes that need it answer 503. It counts no call, and knows no caller. */
const NO_INDEX = new Proxy({} as AuditIndex, {
  get: (_index, question) => {
    if (question === "allowedCalls") return async () => ({ allowed: 0, complete: false, behind: [] });
    if (question === "callers") return async () => ({ callers: [], complete: true, behind: [] });
    return () => Promise.reject(new Error("this store has no index"));
  },
});

/** Another process than the one under test. */
function processPorts(): ProcessPorts {
  const acknowledged = async () => [{ id: "gw-1", acknowledged_ms: 1 }];
  return {
    gateways: { list: () => Promise.resolve([]) },
    processes: async () => [],
    acknowledgements: { reach: async () => expect.unreachable("the reach of a switch was read") },
    leads: () => true,
    propagation: {
      announce: acknowledged,
      announcePolicyChange: acknowledged,
      probePolicy: acknowledged,
      announceKeyChange: acknowledged,
      announceSwitch: () => ({ acknowledged: acknowledged(), probed: Promise.resolve(NO_EFFECT) }),
      probe: async () => NO_EFFECT,
    },
  };
}

/** The control routes on a listener, over a store in memory. It ends with the test. */
export async function startControlApi(options: ControlApiOptions = {}): Promise<ControlApi> {
  const { store = openMemoryStore() } = options;
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const simulator = new SimulatorThread({ log, modules: null });
  onTestFinished(() => simulator.close());
  const replayer = new ReplayerThread({ log, modules: null });
  onTestFinished(() => replayer.close());
  const { api, closeStreams } = composeControl({
    ...processPorts(),
    store,
    auditIndex: NO_INDEX,
    signer: parseSigner("svc-audit", generateSigningKey()),
    verifierKeys: () => Promise.resolve([]),
    checkpoint: async () => undefined,
    documents: { check: async (text) => checkDocument(text) },
    guardrailChecks: {
      readGuardrail: () => Promise.reject(new Error("no test reads a guardrail here")),
      tryGuardrail: () => Promise.reject(new Error("no test tries a guardrail here")),
    },
    simulations: simulator.calls,
    rowThread: replayer.calls,
    digestKey: "5a".repeat(32),
    publicUrl: "http://svc.test",
    sealedSecrets: { put: async () => undefined, get: async () => null, remove: async () => false },
    webhookSending: {
      test: () => Promise.reject(new Error("no test sends anything here")),
      deliveriesOf: () => [],
    },
    destinations: { judge: async () => null },
    identityTokens: {
      read: async () => null,
      refuseAddress: async () => null,
      prove: () => expect.unreachable("a token was proved"),
    },
    channelTester: {
      test: async () => ({ delivered: true, status: 200, fault: null, answer: "ok", latency_ms: 1 }),
    },
    integrationTester: {
      test: async () => ({
        succeeded: true,
        status: 200,
        fault: null,
        answer: "ok",
        latency_ms: 1,
        facts: null,
      }),
    },
    answerGraphql: async () => null,
    noteExplanation: () => undefined,
    noteHeartbeat: () => undefined,
    countTransition: () => undefined,
    authenticate: byName,
    noteRefusal: () => undefined,
    rateLimits: new RateLimits(systemClock),
    corsOrigins: new Set(),
    registry: new Registry(),
    log,
  });
  onTestFinished(closeStreams);
  const controlPlane = { ...api.controlPlane, ...options.controlPlane };
  const app = controlApp({ ...api, controlPlane, ...options.parts });
  const server = createEdgeServer({
    handle: serveWeb(app, log),
    onError: (error) => log.error({ err: error }, "the handler threw"),
    encodedSlash: "in_segment",
  });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close(0));
  return {
    port: Number(new URL(listening.url).port),
    url: listening.url,
    store,
    lines,
    ask: async (method, path, init = {}) => answerOf(await askApp(app, method, path, init)),
  };
}

async function answerOf(answer: Response): Promise<ApiAnswer> {
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") === true;
  const body = isJson ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {};
  return { status: answer.status, headers: answer.headers, text, body };
}

/** The options of a request with a JSON body. */
export function jsonBody(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
}
