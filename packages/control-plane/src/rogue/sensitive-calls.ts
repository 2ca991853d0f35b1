import type { AuditIndex } from "@svc/audit-index/audit-index";
import { faultFields } from "@svc/contract/fault-fields";
import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import { matchesGlob } from "@svc/engine/glob";
import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import type { RiskSource } from "./watch-sources.ts";

/** Milliseconds between two reads. A sensitive call counts within this time and one read. */
const READ_EVERY_MS = 5_000;

/** Milliseconds for which a call without an outcome counts: no tool call is expected to run longer. */
const WINDOW_MS = 60 * 60 * 1_000;

export interface SensitiveCallPorts {
  readonly index: Pick<AuditIndex, "openTools" | "openCallers">;
  /** The namespaces with settings of their own. */
  readonly settings: {
    every(): Iterable<{
      readonly org: string;
      readonly namespace: string;
      readonly settings: RogueDetectionSettings;
    }>;
  };
  readonly clock: WallClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "warn">;
}

/** One namespace whose settings name sensitive tools. */
interface Watched {
  readonly org: string;
  readonly namespace: string;
  readonly globs: readonly string[];
}

/**
 * Which agents have an allowed call of a sensitive tool of which no outcome came. It reads the audit index
 * again and again, and only of namespaces whose settings name such tools; no call waits for it. A read that
 * fails leaves the agents of its namespace as they were.
 */
export class SensitiveCalls implements RiskSource {
  readonly #ports: SensitiveCallPorts;
  /** By organization and namespace: the tool by agent. */
  #known: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map();
  /** The tool by organization and agent. */
  #tools: ReadonlyMap<string, string> = new Map();
  readonly #changed = new Map<string, { readonly org: string; readonly agentId: string }>();
  readonly #reads: RepeatedWork;
  #isFailing = false;

  constructor(ports: SensitiveCallPorts) {
    this.#ports = ports;
    this.#reads = new RepeatedWork(ports.timers, async () => {
      await this.read();
      return READ_EVERY_MS;
    });
  }

  sensitiveTool(org: string, agentId: string): string | null {
    return this.#tools.get(keyOf(org, agentId)) ?? null;
  }

  takeChanged(): Iterable<{ readonly org: string; readonly agentId: string }> {
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    return changed;
  }

  start(): void {
    this.#reads.start(0);
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#reads.stop();
  }

  /** Takes what the index holds now. Never rejects. */
  async read(): Promise<void> {
    const known = new Map<string, ReadonlyMap<string, string>>();
    for (const watched of this.#watched()) {
      const key = keyOf(watched.org, watched.namespace);
      const found = await this.#readNamespace(watched);
      const agents = found ?? this.#known.get(key);
      if (agents !== undefined) known.set(key, agents);
    }
    this.#known = known;
    this.#take(known);
  }

  #watched(): readonly Watched[] {
    return [...this.#ports.settings.every()].flatMap(({ org, namespace, settings }) => {
      const globs = settings.risk.sensitive_tools;
      return globs.length === 0 ? [] : [{ org, namespace, globs }];
    });
  }

  /** The tool by agent; null when the index did not answer. */
  async #readNamespace({ org, namespace, globs }: Watched): Promise<ReadonlyMap<string, string> | null> {
    const { index, clock, log } = this.#ports;
    const sinceMs = clock.now().getTime() - WINDOW_MS;
    try {
      const open = await index.openTools({ org, namespace, sinceMs });
      const tools = open.tools.filter((tool) => globs.some((glob) => matchesGlob(glob, tool)));
      const found = await index.openCallers({ org, namespace, sinceMs, tools });
      if (!open.complete || !found.complete)
        log.warn({ org, namespace }, "some calls of sensitive tools do not count: there are too many calls");
      this.#isFailing = false;
      return new Map(found.callers.map(({ agentId, tool }) => [keyOf(org, agentId), tool]));
    } catch (error) {
      if (!this.#isFailing) log.warn(faultFields(error), "calls of sensitive tools could not be read");
      this.#isFailing = true;
      return null;
    }
  }

  #take(known: ReadonlyMap<string, ReadonlyMap<string, string>>): void {
    const before = this.#tools;
    const tools = new Map([...known.values()].flatMap((agents) => [...agents]));
    for (const key of new Set([...before.keys(), ...tools.keys()])) {
      if (before.has(key) === tools.has(key)) continue;
      const [org = "", agentId = ""] = key.split(" ");
      this.#changed.set(key, { org, agentId });
    }
    this.#tools = tools;
  }
}

/** The id of an organization has no space. */
function keyOf(org: string, name: string): string {
  return `${org} ${name}`;
}
