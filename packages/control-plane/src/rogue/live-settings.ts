import { faultFields } from "@svc/contract/fault-fields";
import {
  DEFAULT_ROGUE_DETECTION,
  type RogueDetectionSettings,
  storedRogueDetection,
} from "@svc/contract/rogue-detection";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { NamespaceStore } from "@svc/store/ports/namespace-store";

/** Milliseconds between two reads of the settings. A change is in force within this time and one read. */
const READ_EVERY_MS = 1_000;

export interface LiveSettingsPorts {
  readonly namespaces: Pick<NamespaceStore, "everyRogueDetection">;
  readonly timers: Timers;
  readonly log: Pick<Logger, "error">;
}

/** The settings that somebody has set for a namespace. */
export interface NamespaceSettings {
  readonly org: string;
  readonly namespace: string;
  readonly settings: RogueDetectionSettings;
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
  #cancel: (() => void) | null = null;
  #reading: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(ports: LiveSettingsPorts) {
    this.#ports = ports;
  }

  /** The settings of a namespace; the defaults where nobody has set any. */
  of(org: string, namespace: string): RogueDetectionSettings {
    return this.#known.get(keyOf(org, namespace))?.settings ?? DEFAULT_ROGUE_DETECTION;
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
    this.#arm();
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#reading;
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
        isKnown ? last : { org, namespace, text, settings: storedRogueDetection(JSON.parse(text)) },
      );
    }
    const before = this.#known;
    const isSame = [...known].every(([key, { text }]) => before.get(key)?.text === text);
    if (!isSame || known.size !== before.size) this.#generation += 1;
    this.#known = known;
  }

  #arm(): void {
    if (this.#stopped) return;
    this.#cancel = this.#ports.timers.after(READ_EVERY_MS, () => {
      this.#reading = this.#readAgain();
    });
  }

  async #readAgain(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      const fields = faultFields(error);
      this.#ports.log.error(fields, "rogue-detection settings could not be read; the last known ones apply");
    }
    this.#arm();
  }
}

/** A space is in no identifier. */
function keyOf(org: string, namespace: string): string {
  return `${org} ${namespace}`;
}
