import { faultFields } from "@svc/contract/fault-fields";
import {
  DEFAULT_ROGUE_DETECTION,
  type RogueDetectionSettings,
  storedRogueDetection,
} from "@svc/contract/rogue-detection";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import type { NamespaceStore } from "@svc/store/ports/namespace-store";
import { parseJson } from "@svc/text/parse-json";

/** Milliseconds between two reads of the settings. A change is in force within this time and one read. */
const READ_EVERY_MS = 1_000;

const SECOND_MS = 1_000;

export interface LiveSettingsPorts {
  readonly namespaces: Pick<NamespaceStore, "everyRogueDetection">;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "error">;
}

/** The settings that somebody has set for a namespace. */
export interface NamespaceSettings {
  readonly org: string;
  readonly namespace: string;
  readonly settings: RogueDetectionSettings;
}

/** Earlier intervals of a namespace that are kept, as count. Agents that go by an older one get no grace. */
const MAX_EARLIER = 64;

/** An interval that the answers of this process to heartbeats named, by the monotonic clock. */
interface EarlierInterval {
  readonly intervalMs: number;
  readonly fromMs: number;
  readonly endMs: number;
}

interface KnownSettings extends NamespaceSettings {
  readonly text: string;
}

/**
 * The rogue-detection settings of every namespace, as of the last read. A read that fails leaves the settings
 * as they were: detection goes on by what it knows. Only texts that changed are parsed.
 */
export class LiveSettings {
  readonly #ports: LiveSettingsPorts;
  #known: ReadonlyMap<string, KnownSettings> = new Map();
  #generation = 0;
  #isRead = false;
  readonly #earlier = new Map<string, readonly EarlierInterval[]>();
  /** When the interval became what it is; not there: at or before the first read. */
  readonly #changedMs = new Map<string, number>();
  readonly #reads: RepeatedWork;

  constructor(ports: LiveSettingsPorts) {
    this.#ports = ports;
    this.#reads = new RepeatedWork(ports.timers, () => this.#readAgain());
  }

  /** The settings of a namespace; the defaults where nobody has set any. */
  of(org: string, namespace: string): RogueDetectionSettings {
    return this.#known.get(keyOf(org, namespace))?.settings ?? DEFAULT_ROGUE_DETECTION;
  }

  /**
   * Milliseconds in which no severity of a session rises, because its last heartbeat was answered with a
   * longer interval than the one in force: one such interval, counted from the end of that interval.
   * @param silenceMs since its last heartbeat, also those in which nobody watched
   */
  graceMs(org: string, namespace: string, silenceMs: number): number {
    const nowMs = this.#ports.clock.nowMs();
    const heardMs = nowMs - silenceMs;
    const told = this.#earlier
      .get(keyOf(org, namespace))
      ?.find(({ fromMs, endMs }) => fromMs <= heardMs && heardMs <= endMs);
    if (told === undefined || told.intervalMs <= intervalMs({ settings: this.of(org, namespace) })) return 0;
    return Math.max(told.endMs + told.intervalMs - nowMs, 0);
  }

  /** The settings of every namespace that has its own. */
  every(): readonly NamespaceSettings[] {
    return [...this.#known.values()];
  }

  /** Another number after some settings changed. */
  get generation(): number {
    return this.#generation;
  }

  /** Reads once, then again and again. @throws when the first read fails. */
  async start(): Promise<void> {
    await this.read();
    this.#reads.start(READ_EVERY_MS);
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#reads.stop();
  }

  /** Takes what the store holds now. @throws when the store does not answer. */
  async read(): Promise<void> {
    const texts = await this.#ports.namespaces.everyRogueDetection();
    const known = new Map<string, KnownSettings>();
    for (const { org, namespace, settings: text } of texts) {
      const key = keyOf(org, namespace);
      const last = this.#known.get(key);
      const isKnown = last?.text === text;
      known.set(
        key,
        isKnown ? last : { org, namespace, text, settings: storedRogueDetection(parseJson(text)) },
      );
    }
    const before = this.#known;
    const isSame = [...known].every(([key, { text }]) => before.get(key)?.text === text);
    if (!isSame || known.size !== before.size) {
      this.#generation += 1;
      if (this.#isRead) this.#noteIntervals(before, known);
    }
    this.#known = known;
    this.#isRead = true;
  }

  #noteIntervals(before: ReadonlyMap<string, KnownSettings>, now: ReadonlyMap<string, KnownSettings>): void {
    const nowMs = this.#ports.clock.nowMs();
    for (const key of new Set([...before.keys(), ...now.keys()])) {
      const oldMs = intervalMs(before.get(key));
      if (intervalMs(now.get(key)) === oldMs) continue;
      const ended = { intervalMs: oldMs, fromMs: this.#changedMs.get(key) ?? -Infinity, endMs: nowMs };
      const kept = (this.#earlier.get(key) ?? []).filter((each) => each.endMs + each.intervalMs > nowMs);
      this.#earlier.set(key, [...kept, ended].slice(-MAX_EARLIER));
      this.#changedMs.set(key, nowMs);
    }
  }

  async #readAgain(): Promise<number> {
    try {
      await this.read();
    } catch (error) {
      const fields = faultFields(error);
      this.#ports.log.error(fields, "rogue-detection settings could not be read; the last known ones apply");
    }
    return READ_EVERY_MS;
  }
}

function intervalMs({ settings }: Pick<KnownSettings, "settings"> = DEFAULTS): number {
  return settings.heartbeat.interval_seconds * SECOND_MS;
}

const DEFAULTS = { settings: DEFAULT_ROGUE_DETECTION };

/** The id of an organization has no space. */
function keyOf(org: string, namespace: string): string {
  return `${org} ${namespace}`;
}
