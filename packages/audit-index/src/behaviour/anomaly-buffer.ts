import type { BehaviourSettings } from "@svc/contract/behaviour";
import { DEFAULT_BEHAVIOUR } from "@svc/contract/default-behaviour";
import type { ObservedAnomaly } from "./observed-anomaly.ts";

/** Anomalies that nobody has taken yet, as count. Further ones are dropped and counted. */
const MAX_WAITING = 1_000;

/** Anomalies that are taken at once, as count. */
const MAX_TAKEN = 100;

/** The thresholds of one namespace. */
export interface NamespaceBehaviour {
  readonly org: string;
  readonly namespace: string;
  readonly behaviour: BehaviourSettings;
}

/** Every namespace that has thresholds of its own, as of one generation of the settings. */
export interface AnomalyThresholds {
  readonly generation: number;
  readonly namespaces: readonly NamespaceBehaviour[];
}

export interface TakenAnomalies {
  readonly anomalies: readonly ObservedAnomaly[];
  /** How many could not be kept since the last question. */
  readonly dropped: number;
  /** The generation of the thresholds in force; null: there are none, so no calls are watched. */
  readonly generation: number | null;
}

/** Between the thread that watches calls and the thread that records what it finds. */
export class AnomalyBuffer {
  #generation: number | null = null;
  #settings: ReadonlyMap<string, BehaviourSettings> = new Map();
  readonly #waiting: ObservedAnomaly[] = [];
  #dropped = 0;

  /** Whether somebody has set thresholds. Before that no call is watched. */
  get isOpen(): boolean {
    return this.#generation !== null;
  }

  /** Whether everything that was found has been taken. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#dropped === 0;
  }

  /** @param thresholds null: as before */
  take(thresholds: AnomalyThresholds | null): TakenAnomalies {
    if (thresholds !== null) {
      this.#generation = thresholds.generation;
      this.#settings = new Map(
        thresholds.namespaces.map(({ org, namespace, behaviour }) => [keyOf(org, namespace), behaviour]),
      );
    }
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { anomalies: this.#waiting.splice(0, MAX_TAKEN), dropped, generation: this.#generation };
  }

  add(found: readonly ObservedAnomaly[]): void {
    const room = Math.max(MAX_WAITING - this.#waiting.length, 0);
    this.#waiting.push(...found.slice(0, room));
    this.#dropped += Math.max(found.length - room, 0);
  }

  settingsOf(org: string, namespace: string): BehaviourSettings {
    return this.#settings.get(keyOf(org, namespace)) ?? DEFAULT_BEHAVIOUR;
  }
}

/** The id of an organization has no space. */
function keyOf(org: string, namespace: string): string {
  return `${org} ${namespace}`;
}
