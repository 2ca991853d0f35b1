import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import type { Logger } from "@svc/process/logger";
import type { SessionName, SupervisedSession } from "@svc/store/ports/supervision-store";
import { LiveSettings } from "../live-settings.ts";
import type { Transition } from "../step-writer.ts";
import { Supervisor } from "../supervisor.ts";
import {
  type DayEvent,
  type DayPlan,
  LOOK_SECONDS,
  NAMESPACES,
  randomDay,
  randomOf,
  randomSettings,
  toggle,
} from "./agent-day.ts";
import { type ModelStep, ReferenceModel } from "./reference-model.ts";
import { SupervisionTable } from "./supervision-table.ts";

const SILENT: Logger = {
  error: (_fields, message) => {
    throw new Error(`a simulated supervisor logged an error: ${message}`);
  },
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** Noon of some day: what the clock of the store shows at second 0. */
const EPOCH_MS = Date.UTC(2026, 0, 1, 12);

const ORG = "acme";

const nameOf = (agent: number): SessionName => ({
  org: ORG,
  agentId: `agent-${String(agent)}`,
  sessionId: `session-${String(agent)}`,
});

const agentOf = ({ agentId }: Pick<SessionName, "agentId">): number => Number(agentId.slice(6));

/** The world of a simulated day, and the supervisors in it. */
class World {
  readonly table = new SupervisionTable();
  readonly settings: RogueDetectionSettings[];
  /** Kill switches that rogue detection activated, by agent. */
  readonly kills: number[] = [];
  readonly #killed = new Set<number>();
  readonly #sensitive = new Set<number>();
  readonly #changedRisks: { readonly org: string; readonly agentId: string }[] = [];
  #trueMs = 0;
  #offsetMs = EPOCH_MS;
  #leader: Supervisor | null = null;
  readonly #clock = { nowMs: () => this.#trueMs };
  readonly #live = new LiveSettings({
    namespaces: { everyRogueDetection: async () => this.#storedSettings() },
    clock: this.#clock,
    timers: { after: () => () => undefined },
    log: SILENT,
  });

  constructor(settings: readonly RogueDetectionSettings[]) {
    this.settings = [...settings];
  }

  moveTo(second: number): void {
    this.#trueMs = second * 1_000;
    this.table.nowMs = this.#trueMs + this.#offsetMs;
  }

  /** As every process does each second, whether it leads or not. */
  async readSettings(): Promise<void> {
    await this.#live.read();
  }

  async look(): Promise<void> {
    await this.readSettings();
    await this.#leader?.look();
    await this.#leader?.idle();
  }

  happen(event: DayEvent): void {
    switch (event.kind) {
      case "beat":
        return this.#beat(event.agent, event.parent, false);
      case "end":
        if (this.#lives(event.agent)) this.#beat(event.agent, null, true);
        return;
      case "authenticate":
        return this.table.authenticate(nameOf(event.agent));
      case "reregister":
        return this.#reregister(event.agent);
      case "kill":
        return toggle(this.#killed, event.agent, event.isOn);
      case "sensitive":
        this.#changedRisks.push(nameOf(event.agent));
        return toggle(this.#sensitive, event.agent, event.isOn);
      case "settings":
        this.settings[event.namespace] = event.settings;
        return;
      case "jump":
        this.#offsetMs += event.byMs;
        return this.moveTo(this.#trueMs / 1_000);
      case "nobody_leads":
        this.#leader = null;
        return;
      case "another_leads":
        this.#leader = this.#newSupervisor();
    }
  }

  #lives(agent: number): boolean {
    const session = this.table.get(nameOf(agent));
    return session !== null && session.endedAtMs === null;
  }

  #beat(agent: number, parent: number | null, ended: boolean): void {
    const parentSessionId = parent === null ? null : nameOf(parent).sessionId;
    const namespace = String(agent % NAMESPACES);
    const parentAgentId = parent === null || parent % 2 === 0 ? null : nameOf(parent).agentId;
    this.table.beat({ ...nameOf(agent), namespace, parentSessionId, parentAgentId, ended, ageMs: 0 });
  }

  #reregister(agent: number): void {
    if (this.table.get(nameOf(agent))?.severity === "EMERGENCY") this.table.end(nameOf(agent));
  }

  #newSupervisor(): Supervisor {
    const supervisor: Supervisor = new Supervisor({
      store: this.table,
      write: (transitions) => this.#write(transitions),
      containments: {
        suspend: async () => "done",
        resume: async () => "done",
        terminate: async (session, kills) => {
          if (kills) this.kills.push(agentOf(session));
          return "done";
        },
      },
      settings: this.#live,
      risks: this.#riskSource(),
      stallMs: LOOK_SECONDS * 1_000,
      isKilled: (name) => this.#killed.has(agentOf(name)),
      leads: () => this.#leader === supervisor,
      clock: this.#clock,
      timers: { after: () => () => undefined },
      log: SILENT,
    });
    return supervisor;
  }

  #storedSettings() {
    return this.settings.map((settings, namespace) => {
      return { org: ORG, namespace: String(namespace), settings: JSON.stringify(settings) };
    });
  }

  #riskSource() {
    return {
      sensitiveTool: (_org: string, agentId: string) =>
        this.#sensitive.has(agentOf({ agentId })) ? "payments.wire" : null,
      takeChanged: () => this.#changedRisks.splice(0),
    };
  }

  #write(transitions: readonly Transition[]) {
    const change = ({ session, step }: Transition) => ({
      ...nameAndVersion(session),
      ...step,
      auditRow: "{}",
    });
    return this.table.changeSeverities(transitions.map(change));
  }
}

function nameAndVersion({ org, agentId, sessionId, version }: SupervisedSession) {
  return { org, agentId, sessionId, version };
}

/** What a simulated day showed. */
export interface DayResult {
  readonly steps: number;
  readonly emergencies: number;
  readonly kills: number;
  readonly beats: number;
  /** Where the supervisor and the model parted; null: nowhere. */
  readonly difference: string | null;
}

/** Runs one day with supervisors and with the model, and compares them after each look. */
export async function simulateDay(seed: number, plan: DayPlan): Promise<DayResult> {
  const random = randomOf(seed);
  const settings = Array.from({ length: NAMESPACES }, () => randomSettings(random));
  const day = randomDay(random, plan);
  const world = new World(settings);
  await world.readSettings();
  const model = new ReferenceModel(settings);
  const seen = { steps: 0, emergencies: 0, beats: 0 };
  for (let second = 0; second < plan.seconds; second += LOOK_SECONDS) {
    world.moveTo(second);
    for (const event of day.get(second) ?? []) {
      if (event.kind === "beat") seen.beats += 1;
      world.happen(event);
      model.happen(event, second);
    }
    world.moveTo(second + 1);
    await world.look();
    const wanted = model.look(second + 1);
    const got = takeSteps(world.table);
    seen.steps += got.length;
    seen.emergencies += got.filter((step) => step.endsWith(" EMERGENCY")).length;
    const difference = differenceOf(wanted, got);
    if (difference !== null) {
      const where = `seed ${String(seed)}, second ${String(second)}`;
      return { ...seen, kills: world.kills.length, difference: `${where}: ${difference}` };
    }
  }
  return { ...seen, kills: world.kills.length, difference: null };
}

function takeSteps({ steps }: SupervisionTable): readonly ModelStep[] {
  if (steps.length === 0) return [];
  return steps
    .splice(0)
    .map(({ agentId, previous, severity }) => `${String(agentOf({ agentId }))} ${previous} ${severity}`);
}

function differenceOf(wanted: readonly ModelStep[], got: readonly ModelStep[]): string | null {
  if (wanted.length === 0 && got.length === 0) return null;
  const [expected, written] = [inOrder(wanted).join(", "), inOrder(got).join(", ")];
  return expected === written ? null : `the model takes ${expected}; the supervisor took ${written}`;
}

/** Sessions in one order; the steps of one session stay in theirs. */
function inOrder(steps: readonly ModelStep[]): readonly ModelStep[] {
  return steps.toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
}
