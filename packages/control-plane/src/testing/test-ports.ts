import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import { ANONYMOUS } from "@svc/contract/principal";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { ControlFollower, type FollowedState } from "@svc/control-feed/control-follower";
import { readGuardrail } from "@svc/engine/read-guardrails";
import { tryGuardrail } from "@svc/engine/try-guardrail";
import { checkDocument, type DocumentText } from "@svc/policy-analysis/check-document";
import { diffPolicies } from "@svc/policy-analysis/policy-diff";
import { renderChanges } from "@svc/policy-analysis/render-diff";
import type { Logger } from "@svc/process/logger";
import { digestOfText } from "@svc/text/digest-of";
import type { JsonObject } from "@svc/text/json-value";
import { ApprovalWaits } from "../approvals/approval-waits.ts";
import { TtlExpiry } from "../kill-switches/ttl-expiry.ts";
import { KnownNames } from "../names/known-names.ts";
import type { ControlPlanePorts, GuardrailChecks, Simulations } from "../ports.ts";
import type {
  CommittedActivation,
  ProbeTarget,
  Propagation,
  SwitchPropagation,
  TargetSighting,
} from "../propagation.ts";
import type { RowThread } from "../replays/recorded-rows.ts";
import { ReplayRunner } from "../replays/replay-runner.ts";
import { HeartbeatReceiver } from "../rogue/heartbeat-receiver.ts";
import { LiveSettings } from "../rogue/live-settings.ts";
import type { ChangedSession } from "../rogue/note-transition.ts";
import { SupervisionView } from "../rogue/supervision-view.ts";
import { FakeTime } from "./fake-time.ts";
import { MemorySecrets } from "./memory-secrets.ts";
import { TestDatabase } from "./test-database.ts";

export const OPERATOR = adminPrincipal({ id: "key_1", org: "acme" });
/** While authentication is off. No stored key has to exist for changes of keys. */
export const ANYBODY = adminPrincipal({ id: ANONYMOUS, org: "acme" });
export const STRANGER = adminPrincipal({ id: "key_2", org: "other" });

/** Gateways that acknowledge as the test says, and remember what was announced to them. */
export class FakePropagation implements Propagation {
  gateways: readonly GatewayAcknowledgement[] = [{ id: "gw-1", acknowledged_ms: 3 }];
  affected = { agents: ["a-1"], sessions: ["s-1"] };
  sighting: TargetSighting = { seen: true, nearest: null, since: "2026-01-01T00:00:00.000Z" };
  readonly announced: number[] = [];
  readonly probed: ProbeTarget[] = [];
  readonly probedPolicies: string[] = [];
  /** Runs before each answer: throw for a broken path. */
  before: () => Promise<void> = async () => {};

  async announce(revision: number): Promise<readonly GatewayAcknowledgement[]> {
    this.announced.push(revision);
    await this.before();
    return this.gateways;
  }

  announcePolicyChange(revision: number): Promise<readonly GatewayAcknowledgement[]> {
    return this.announce(revision);
  }

  async probePolicy(_org: string, id: string): Promise<readonly GatewayAcknowledgement[]> {
    this.probedPolicies.push(id);
    await this.before();
    return this.gateways;
  }

  announceKeyChange(revision: number): Promise<readonly GatewayAcknowledgement[]> {
    return this.announce(revision);
  }

  announceSwitch({ revision, target }: CommittedActivation): SwitchPropagation {
    return { acknowledged: this.announce(revision), probed: this.probe(target) };
  }

  async probe(target: ProbeTarget) {
    this.probed.push(target);
    await this.before();
    return { gateways: this.gateways, affected: this.affected, sighting: this.sighting };
  }
}

export interface TestPorts extends ControlPlanePorts {
  readonly database: TestDatabase;
  readonly time: FakeTime;
  readonly propagation: FakePropagation;
  /** A test takes the lead away from this process, and gives it back. */
  readonly lead: { isHeld: boolean };
  /** Ends switches; it learns of changes when a test calls `followed.catchUp`. */
  readonly expiry: TtlExpiry;
  readonly followed: FollowedState;
  readonly supervised: SupervisionView;
  readonly heartbeats: HeartbeatReceiver;
  readonly rogueSettings: LiveSettings;
  /** The known names are current when a test has called `named.catchUp`. */
  readonly named: FollowedState;
  /** The view learns of changes when a test calls `viewed.catchUp`. */
  readonly viewed: FollowedState;
  /** The changes of severities that were noted. */
  readonly noted: readonly ChangedSession[];
  /** What was logged as a warning or an error. */
  readonly logged: readonly string[];
  /** What was logged as information. */
  readonly informed: readonly string[];
}

/** Compares versions. Nothing else is simulated here. */
const simulations: Simulations = {
  read: () => Promise.reject(new Error("no test reads a simulation here")),
  simulate: () => Promise.reject(new Error("no test simulates here")),
  explain: () => Promise.reject(new Error("no test explains here")),
  diff: async (before, after) => {
    const changes = diffPolicies(JSON.parse(before) as JsonObject, JSON.parse(after) as JsonObject);
    const [text, lines] = [JSON.stringify(changes), renderChanges(changes)];
    return { kind: "compared", changes: text, count: changes.length, lines };
  },
};

const GUARDRAIL_CHECKS: GuardrailChecks = {
  readGuardrail: async (source) => readGuardrail(source),
  tryGuardrail: async (guardrail, text) => tryGuardrail(guardrail, text),
};

/** A control plane over a database in memory. Ids count up: ks_1, asg_2, ... */
export function testPorts(database: TestDatabase = new TestDatabase()): TestPorts {
  const time = new FakeTime();
  const propagation = new FakePropagation();
  const lead = { isHeld: true };
  const leads = (): boolean => lead.isHeld;
  const logged: string[] = [];
  const informed: string[] = [];
  const stores = storesOf(database);
  const log = recordingLog(logged, informed);
  const newId = counting();
  const rowThread = notHere;
  const { recordedCalls, replays } = database;
  const digestKey = "5a".repeat(32);
  const running = { replays, recordedCalls, thread: rowThread, clock: time, log, owner: "log", digestKey };
  const replayRunner = new ReplayRunner(running);
  const explaining = {
    recordedCalls: database.recordedCalls,
    replays: database.replays,
    replayRunner,
    rowThread,
    digestKey,
    noteExplanation: () => undefined,
  };
  const approving = {
    approvalWaits: new ApprovalWaits({ approvals: stores.approvals, timers: time, log }),
    digest: digestOfText,
    publicUrl: "http://svc.test",
  };
  const work = {
    clock: time,
    timers: time,
    log,
    newId,
    documents: { check: async (text: DocumentText) => checkDocument(text) },
    guardrailChecks: GUARDRAIL_CHECKS,
    simulations,
    propagation,
    knownNames: new KnownNames(),
    callCounter: {
      allowed: async () => ({ allowed: 7, withoutOutcome: 2 }),
      callers: async () => ({ agents: [], sessions: [], complete: true }),
    },
    identityTokens: NO_TOKENS,
    ...outwardPorts(),
    gateways: { list: () => Promise.resolve([]) },
    processes: async () => [],
    acknowledgements: { reach: () => Promise.reject(new Error("no test reads the reach of a switch here")) },
    leads,
  };
  const shared = {
    ...stores,
    ...explaining,
    ...approving,
    ...work,
    ...supervisionOf(database, { time, log }),
  };
  const expiry = new TtlExpiry(shared);
  const following = followersOf({ ...shared, database, expiry });
  return { ...shared, ...following, database, time, lead, logged, informed, expiry };
}

type Followers = Pick<TestPorts, "database" | "expiry" | "supervised" | "log"> & {
  readonly clock: FakeTime;
  readonly knownNames: KnownNames;
};

/** What learns of changes when a test says so. */
function followersOf({ database, expiry, supervised, knownNames, clock, log }: Followers) {
  const outage = { failed: () => undefined, recovered: () => undefined };
  const follower = new ControlFollower({ feed: database.controlFeed, clock, log, outage });
  return {
    followed: follower.subscribe(expiry, { name: "expiry", consequence: "switches end late" }),
    viewed: follower.subscribe(supervised, { name: "supervision", consequence: "none" }),
    named: follower.subscribe(knownNames, { name: "known names", consequence: "none" }),
  };
}

/** What calls out. Every destination may be called, and nothing is sent. */
function outwardPorts(): Pick<
  ControlPlanePorts,
  "sealedSecrets" | "destinations" | "webhookSending" | "channelTester" | "integrationTester"
> {
  const tested = { delivered: true, status: 200, fault: null, answer: "ok", latency_ms: 1 };
  const test = () => Promise.reject(new Error("no test sends anything here"));
  return {
    sealedSecrets: new MemorySecrets(),
    destinations: { judge: async () => null },
    webhookSending: { test, deliveriesOf: () => [] },
    channelTester: { test: async () => tested },
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
  };
}

const NO_TOKENS: ControlPlanePorts["identityTokens"] = {
  read: async () => null,
  refuseAddress: async () => null,
  prove: () => Promise.reject(new Error("no test proves a token here")),
};

function storesOf(database: TestDatabase) {
  return {
    killSwitches: database.killSwitchStore,
    policies: database.policyStore,
    guardrails: database.guardrailStore,
    assignments: database.assignmentStore,
    namespaces: database.namespaceStore,
    agents: database.agentStore,
    legalHolds: database.legalHoldStore,
    trustRules: database.trustRuleStore,
    webhooks: database.webhookStore,
    notificationChannels: database.channelStore,
    deliveries: database.deliveryStore,
    integrations: database.integrationStore,
    integrationCourses: database.integrationCourses,
    alerts: database.alertStore,
    keys: database.keyStore,
    approvals: database.approvalStore,
    heldCalls: database.heldCallStore,
    approvalWorkflows: database.workflowStore,
    rows: database.auditStore,
  };
}

/** What takes heartbeats and knows of sessions. The store has the clock of the test. */
function supervisionOf(
  database: TestDatabase,
  { time, log }: { readonly time: FakeTime; readonly log: Logger },
) {
  const { supervision, anomalies, namespaceStore: namespaces } = database;
  database.nowMs = () => time.now().getTime();
  const noted: ChangedSession[] = [];
  return {
    supervision,
    anomalies,
    supervised: new SupervisionView(),
    heartbeats: new HeartbeatReceiver({ supervision, clock: time, timers: time, log }),
    rogueSettings: new LiveSettings({ namespaces, clock: time, timers: time, log }),
    callCoverage: { coverage: async () => ({ parts: [], complete: true, behind: [] }) },
    risks: { sensitiveTool: () => null },
    noted,
    noteTransition: (change: ChangedSession) => void noted.push(change),
  };
}

const nowhere = () => Promise.reject(new Error("no test works on rows here"));
const notHere: RowThread = { begin: nowhere, rows: nowhere, goOn: nowhere, drop: nowhere };

function recordingLog(logged: string[], informed: string[]): Logger {
  const into = (lines: string[]) => (_fields: unknown, message: string) => void lines.push(message);
  return { error: into(logged), warn: into(logged), info: into(informed), debug: () => undefined };
}

/** Makes ids that count up. */
function counting(): (prefix: string) => string {
  let ids = 0;
  return (prefix) => `${prefix}_${String(++ids)}`;
}
