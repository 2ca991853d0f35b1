import type { AuditIndex } from "@svc/audit-index/audit-index";
import { digestOfText } from "@svc/contract/digest-of";
import { problem } from "@svc/contract/problem";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { ApprovalWaits } from "@svc/control-plane/approval-waits";
import { HeartbeatReceiver } from "@svc/control-plane/heartbeat-receiver";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { ReplayRunner } from "@svc/control-plane/replay-runner";
import { SupervisionView } from "@svc/control-plane/supervision-view";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { checkDocument } from "@svc/policy-analysis/check-document";
import { ReplayerThread } from "@svc/policy-threads/replayer-thread";
import { SimulatorThread } from "@svc/policy-threads/simulator-thread";
import { systemClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import { nodeTimers } from "@svc/process/timers";
import { type MemoryStore, openMemoryStore } from "@svc/store/testing/memory-store";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import type { Authenticate } from "../authentication.ts";
import { type ApiParts, controlApp } from "../control-app.ts";
import { AnswerOnce } from "../idempotency/answer-once.ts";
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

/** A store in memory has no index: these routes answer 503. */
const NO_EFFECT = { gateways: [], affected: { agents: [], sessions: [] }, sighting: null };

const NO_INDEX: AuditIndex = {
  search: () => Promise.reject(new Error("this store has no index")),
  row: () => Promise.reject(new Error("this store has no index")),
  report: () => Promise.reject(new Error("this store has no index")),
  session: () => Promise.reject(new Error("this store has no index")),
  coverage: () => Promise.reject(new Error("this store has no index")),
  activeOrgs: () => Promise.reject(new Error("this store has no index")),
  openTools: () => Promise.reject(new Error("this store has no index")),
  openCallers: () => Promise.reject(new Error("this store has no index")),
  allowedCalls: () => Promise.reject(new Error("this store has no index")),
  callers: () => Promise.reject(new Error("this store has no index")),
  agents: () => Promise.reject(new Error("this store has no index")),
  agentSessions: () => Promise.reject(new Error("this store has no index")),
  busyAgents: () => Promise.reject(new Error("this store has no index")),
  activity: () => Promise.reject(new Error("this store has no index")),
  forget: () => Promise.reject(new Error("this store has no index")),
  takeAnomalies: () => Promise.reject(new Error("this store has no index")),
  close: () => Promise.resolve(),
};

/** The control routes on a listener, over a store in memory. It ends with the test. */
export async function startControlApi(options: ControlApiOptions = {}): Promise<ControlApi> {
  const { store = openMemoryStore() } = options;
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const acknowledged = async () => [{ id: "gw-1", acknowledged_ms: 1 }];
  const simulations = new SimulatorThread({ log });
  onTestFinished(() => simulations.close());
  const approvalWaits = new ApprovalWaits({ approvals: store.approvals, timers: nodeTimers, log });
  onTestFinished(() => approvalWaits.stop());
  const replayer = new ReplayerThread({ log });
  onTestFinished(() => replayer.close());
  const { replays, recordedCalls, logId: owner } = store;
  const digestKey = "5a".repeat(32);
  const running = { replays, recordedCalls, thread: replayer, clock: systemClock, log, owner, digestKey };
  const replayRunner = new ReplayRunner(running);
  const controlPlane: ControlPlanePorts = {
    ...store,
    callCounter: {
      allowed: async () => null,
      callers: async () => ({ agents: [], sessions: [], complete: true }),
    },
    approvalWaits,
    rows: store.audit,
    digest: digestOfText,
    publicUrl: "http://svc.test",
    clock: systemClock,
    timers: nodeTimers,
    log,
    newId: randomId,
    documents: { check: async (text) => checkDocument(text) },
    simulations,
    replayRunner,
    rowThread: replayer,
    digestKey,
    noteExplanation: () => undefined,
    heartbeats: new HeartbeatReceiver({ ...store, clock: systemClock, timers: nodeTimers, log }),
    supervised: new SupervisionView(),
    rogueSettings: { of: () => DEFAULT_ROGUE_DETECTION, graceMs: () => 0 },
    callCoverage: NO_INDEX,
    risks: { sensitiveTool: () => null },
    gateways: { list: () => Promise.resolve([]) },
    reaches: { reach: async () => expect.unreachable("the reach of a switch was read") },
    leads: () => true,
    propagation: {
      announce: acknowledged,
      announcePolicyChange: acknowledged,
      probePolicy: acknowledged,
      announceKeyChange: acknowledged,
      announceSwitch: () => ({ acknowledged: acknowledged(), probed: Promise.resolve(NO_EFFECT) }),
      probe: async () => NO_EFFECT,
    },
    ...options.controlPlane,
  };
  const parts: ApiParts = {
    authenticate: byName,
    controlPlane,
    log,
    noteRefusal: () => undefined,
    answerOnce: new AnswerOnce({ keys: store.requestKeys, clock: systemClock, log }),
    rateLimits: new RateLimits(systemClock),
    corsOrigins: new Set(),
    audit: store.audit,
    auditIndex: NO_INDEX,
    ledger: store.ledger,
    keys: store.keys,
    verifierKeys: () => Promise.resolve([]),
    checkpoint: async () => undefined,
    signExcerpt: () => expect.unreachable("an excerpt was signed"),
    signCertificate: () => expect.unreachable("a certificate was signed"),
    eventStreams: { open: async () => expect.unreachable("a stream was opened") },
    ...options.parts,
  };
  const app = controlApp(parts);
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
