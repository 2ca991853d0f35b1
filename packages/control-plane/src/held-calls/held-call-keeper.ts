import { faultFields } from "@svc/contract/fault-fields";
import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import { SeverityIndex } from "@svc/control-feed/severity-index";
import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import type { StoredHeldCall, UnresolvedQuestion } from "@svc/store/ports/held-call-store";
import type { ControlPlanePorts } from "../ports.ts";
import { endHeldCall, type HeldCallEnding } from "./end-held-call.ts";

/**
 * Milliseconds between two looks at held calls. A look finds the calls whose time is over, and those whose
 * row committed after the severity had changed.
 */
const LOOK_EVERY_MS = 5_000;

/** Held calls that are read at once, as count: each that ends is a transaction. */
const AT_ONCE = 100;

/** Changes of a snapshot that are taken in one step, as count: together they take less than a millisecond. */
const CHANGES_PER_STEP = 1_000;

export type KeeperPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "heldCalls" | "leads">;

/** The agent whose held calls are to be looked at; null: those of all agents. */
type Order = UnresolvedQuestion["agent"];

/**
 * Ends held calls, oldest first: it releases those of agents that recovered, revokes those of terminated
 * sessions and notes which have expired. It learns of severities from the control feed. A call that was held
 * under a later control state than the one it knows is left for the next look.
 */
export class HeldCallKeeper implements ControlSubscriber {
  readonly #ports: KeeperPorts;
  #severities = new SeverityIndex();
  #revision = 0;
  /** Agents to look at, by name. */
  readonly #orders = new Map<string, Order>();
  #cancel: (() => void) | null = null;
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  get revision(): number {
    return this.#revision;
  }

  *load({ revision, changes }: ControlSnapshot): Generator<undefined, void> {
    const severities = new SeverityIndex();
    for (const [at, { org, change }] of changes.entries()) {
      if (change.kind === "severity") severities.apply(org, change.record);
      if (at % CHANGES_PER_STEP === 0) yield;
    }
    this.#severities = severities;
    this.#revision = revision;
    this.#order(null);
  }

  apply({ revision, org, change }: ControlEvent): void {
    this.#revision = revision;
    if (change.kind !== "severity") return;
    this.#severities.apply(org, change.record);
    this.#order({ org, agentId: change.record.agentId });
  }

  /** Begins to look at all held calls every LOOK_EVERY_MS. */
  start(): void {
    this.#arm();
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#working;
  }

  #arm(): void {
    this.#cancel = this.#ports.timers.after(LOOK_EVERY_MS, () => {
      this.#order(null);
      this.#arm();
    });
  }

  #order(agent: Order): void {
    if (this.#stopped) return;
    this.#orders.set(JSON.stringify(agent), agent);
    this.#work();
  }

  #work(): void {
    if (this.#working !== null || this.#orders.size === 0 || this.#stopped) return;
    this.#working = this.#carryOut().then(() => {
      this.#working = null;
      this.#work();
    });
  }

  /** Resolves when every held call that was to be looked at was. */
  async settled(): Promise<void> {
    await this.#working;
  }

  /** Never rejects. */
  async #carryOut(): Promise<void> {
    for (const [name, agent] of this.#orders) {
      if (this.#stopped) return;
      this.#orders.delete(name);
      if (!this.#ports.leads()) continue;
      try {
        await this.#look(agent);
      } catch (error) {
        this.#ports.log.error(faultFields(error), "held calls could not be ended; the next look tries again");
      }
    }
  }

  async #look(agent: Order): Promise<void> {
    const { heldCalls, leads } = this.#ports;
    for (let after: UnresolvedQuestion["after"] = null; ; ) {
      const page: readonly StoredHeldCall[] = await heldCalls.unresolved({ agent, after, limit: AT_ONCE });
      for (const held of page) {
        if (this.#stopped || !leads()) return;
        const ending = this.#endingOf(held);
        if (ending !== null) await endHeldCall(this.#ports, held, ending);
      }
      if (page.length < AT_ONCE) return;
      after = page.at(-1) ?? null;
    }
  }

  /** Null: the call stays held. */
  #endingOf(held: StoredHeldCall): HeldCallEnding | null {
    if (held.revision > this.#revision) return null;
    switch (this.#severities.severityOf(held)) {
      case "EMERGENCY":
        return "revoked";
      case "CRITICAL":
        return held.expiresAtMs <= this.#ports.clock.now().getTime() ? "expired" : null;
      case "INFO":
      case "WARNING":
        return "released";
    }
  }
}
