import { DEFAULT_ROGUE_DETECTION, type RogueDetectionSettings } from "@svc/contract/rogue-detection";
import type { Logger } from "@svc/process/logger";
import type { ReceivedHeartbeat, SessionName, SupervisedSession } from "@svc/store/ports/supervision-store";
import { FakeTime } from "../../testing/fake-time.ts";
import { STALL_MS, Supervisor } from "../supervisor.ts";
import type { SettingsSource } from "../watch-sources.ts";
import { SupervisionTable } from "./supervision-table.ts";

/** A session of the organization acme, with an agent of its own. */
export const nameOf = (session: string): SessionName => ({
  org: "acme",
  agentId: `agent of ${session}`,
  sessionId: session,
});

/** Supervisors over one store in memory, and time that a test moves. */
export class SupervisedWorld {
  readonly time = new FakeTime();
  readonly table = new SupervisionTable();
  /** What was done for severities: `<what> <session>`. */
  readonly contained: string[] = [];
  /** Runs before each containment: throw, or answer `again`. */
  beforeContainment: (what: string) => "done" | "again" = () => "done";
  readonly logged: string[] = [];
  readonly killed = new Set<string>();
  readonly sensitive = new Set<string>();
  settings: RogueDetectionSettings = DEFAULT_ROGUE_DETECTION;
  /** Settings of namespaces that have their own. */
  readonly settingsOf = new Map<string, RogueDetectionSettings>();
  generation = 0;
  /** Replaces the settings above; null: they apply, and a change of them gives no grace. */
  liveSettings: SettingsSource | null = null;
  /** Milliseconds that the clock of the store is ahead of the wall clock. */
  aheadMs = 0;
  readonly #changedRisks: { readonly org: string; readonly agentId: string }[] = [];

  constructor() {
    Object.defineProperty(this.table, "nowMs", { get: () => this.time.now().getTime() + this.aheadMs });
  }

  /** A supervisor that runs. It leads while `leads` says so. */
  start(leads: () => boolean = () => true): Supervisor {
    const supervisor = new Supervisor({
      store: this.table,
      write: (transitions) =>
        this.table.changeSeverities(
          transitions.map(({ session: { org, agentId, sessionId, version }, step }) => {
            return { org, agentId, sessionId, version, ...step, auditRow: "{}" };
          }),
        ),
      containments: {
        suspend: async (session) => this.#contain("suspend", session),
        resume: async (session) => this.#contain("resume", session),
        terminate: async (session, kills) => this.#contain(kills ? "kill" : "terminate", session),
      },
      settings: this.#settingsSource(),
      risks: {
        sensitiveTool: (_org, agentId) => (this.sensitive.has(agentId) ? "payments.wire" : null),
        takeChanged: () => this.#changedRisks.splice(0),
      },
      stallMs: STALL_MS,
      isKilled: ({ sessionId }) => this.killed.has(sessionId),
      leads,
      clock: this.time,
      timers: this.time,
      log: this.#log(),
    });
    supervisor.start();
    return supervisor;
  }

  beat(session: string, known: Partial<ReceivedHeartbeat> = {}): void {
    const heartbeat = { namespace: "default", parentSessionId: null, parentAgentId: null, ended: false };
    this.table.beat({ ...nameOf(session), ...heartbeat, ageMs: 0, ...known });
  }

  setSettings(settings: RogueDetectionSettings): void {
    this.settings = settings;
    this.generation += 1;
  }

  setSensitive(session: string): void {
    const { org, agentId } = nameOf(session);
    this.sensitive.add(agentId);
    this.#changedRisks.push({ org, agentId });
  }

  get(session: string): SupervisedSession {
    const found = this.table.get(nameOf(session));
    if (found === null) throw new Error(`no session ${session}`);
    return found;
  }

  severityOf(session: string): string {
    return this.get(session).severity;
  }

  /** The steps of a session in their order: `INFO>WARNING`. */
  stepsOf(session: string): readonly string[] {
    return this.table.steps
      .filter(({ sessionId }) => sessionId === session)
      .map(({ previous, severity }) => `${previous}>${severity}`);
  }

  #contain(what: string, { sessionId }: SupervisedSession): "done" | "again" {
    const outcome = this.beforeContainment(what);
    if (outcome === "done") this.contained.push(`${what} ${sessionId}`);
    return outcome;
  }

  #settingsSource() {
    const read = () => this;
    return {
      of: (org: string, namespace: string) =>
        read().liveSettings?.of(org, namespace) ?? read().settingsOf.get(namespace) ?? read().settings,
      graceMs: (org: string, namespace: string, silenceMs: number) =>
        read().liveSettings?.graceMs(org, namespace, silenceMs) ?? 0,
      get generation() {
        return read().liveSettings?.generation ?? read().generation;
      },
    };
  }

  #log(): Logger {
    const into = (_fields: unknown, message: string) => void this.logged.push(message);
    return { error: into, warn: into, info: () => undefined, debug: () => undefined };
  }
}
