import { faultFields } from "@svc/contract/fault-fields";
import { compileParts } from "@svc/engine/document-parts";
import type { Evaluator } from "@svc/engine/evaluation";
import {
  type EvaluatorFactory,
  evaluatorsOf,
  ModuleUnusable,
  RegoUnavailable,
} from "@svc/engine/evaluator-factory";
import type { PreparedDocument, StoredDocument } from "@svc/engine/prepare-document";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { TimeSlices } from "@svc/process/time-slices";
import type { Timers } from "@svc/process/timers";
import type { PolicyLoads } from "../check/control-state.ts";
import type { LoadedPolicy } from "./loaded-policy.ts";
import type { PolicyLoad } from "./policy-load.ts";

/** Reads and validates policy documents away from the thread that serves calls. */
export interface DocumentReader {
  /**
   * One result per document, in the same order. Rejects when the reader failed, which says nothing
   * about the documents.
   */
  prepare(documents: readonly StoredDocument[]): Promise<readonly PreparedDocument[]>;
}

export interface PolicyLoaderOptions {
  readonly reader: DocumentReader;
  /** Makes what evaluates the modules of policies. */
  readonly evaluators: EvaluatorFactory;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "error">;
  /** Called for each policy that the reader failed on through no fault of the document. */
  readonly onFault: () => void;
}

interface PreparedLoad {
  readonly load: PolicyLoad;
  readonly document: PreparedDocument | undefined;
}

/** Most characters of documents that are prepared at once: bounds what one fault or hostile text delays. */
const BATCH_CHARACTERS = 64 * 1024;

/** Milliseconds that compiling may hold the serving thread at a time. */
const SLICE_MS = 0.5;

/** Most log lines about unloadable policies in one burst of loads, as count. */
const MAX_UNLOADABLE_LINES = 20;

const UNLOADABLE = "a policy cannot be loaded: the calls of its agents are denied";

/** Milliseconds until a version whose compilation failed is tried again. The last delay repeats. */
const RETRY_DELAYS_MS = [100, 1_000, 10_000, 60_000] as const;

/**
 * Compiles new versions of policies, one batch after the other. The document reader validates them; then the
 * serving thread builds them in slices. A version that is superseded meanwhile is dropped. When the reader
 * fails, the version in force stays in force, and the failed version is tried again alone.
 */
export class PolicyLoader implements PolicyLoads {
  readonly #options: PolicyLoaderOptions;
  readonly #slices: TimeSlices;
  readonly #pending = new Set<PolicyLoad>();
  readonly #retries = new Set<() => void>();
  /** Policies with a module that wait for the one before of their organization; the last one is the next. */
  readonly #moduleLoads = new Map<string, PreparedLoad[]>();
  readonly #moduleRuns = new Set<Promise<void>>();
  #waiting: PolicyLoad[] = [];
  #running: Promise<void> | null = null;
  #unloadableLines = 0;
  #isClosed = false;

  constructor(options: PolicyLoaderOptions) {
    this.#options = options;
    this.#slices = new TimeSlices(options.clock, SLICE_MS);
  }

  get pending(): number {
    return this.#pending.size;
  }

  begin(load: PolicyLoad): void {
    this.#pending.add(load);
    void load.ended.then(() => this.#pending.delete(load));
    this.#enqueue(load);
  }

  async settled(revision: number): Promise<void> {
    await this.#ended((load) => load.concerns(revision));
  }

  /** Resolves when the version of a policy that was begun last, or a later one, is in force. */
  async policySettled(org: string, id: string): Promise<void> {
    await this.#ended(({ policy }) => policy.org === org && policy.id === id);
  }

  /** Resolves when every load that has begun was tried once. */
  async idle(): Promise<void> {
    while (this.#running !== null || this.#moduleRuns.size > 0)
      await Promise.all([this.#running, ...this.#moduleRuns]);
  }

  /** Resolves when every load that has begun is in force, or failed so often that a start goes on. */
  async awaitedByStart(): Promise<void> {
    await Promise.all([...this.#pending].map((load) => load.awaitedByStart));
  }

  /** Begins no further load. Versions that are being compiled are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    for (const cancel of this.#retries) cancel();
  }

  async #ended(isMeant: (load: PolicyLoad) => boolean): Promise<void> {
    await Promise.all([...this.#pending].filter(isMeant).map((load) => load.ended));
  }

  #enqueue(load: PolicyLoad): void {
    if (this.#isClosed) return;
    this.#waiting.push(load);
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    // A snapshot delivers all its policies in one turn, so they go into batches together.
    await Promise.resolve();
    this.#unloadableLines = 0;
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) await this.#load(batch);
  }

  /**
   * The newest first: an operator waits for its acknowledgement, while thousands may be queued after a start.
   */
  #nextBatch(): readonly PolicyLoad[] {
    const batch: PolicyLoad[] = [];
    let characters = 0;
    while (characters < BATCH_CHARACTERS) {
      const load = this.#waiting.at(-1);
      const goesAlone = load !== undefined && load.faults > 0 && batch.length > 0;
      if (load === undefined || goesAlone) break;
      this.#waiting.pop();
      if (!load.isWanted) continue;
      batch.push(load);
      characters += load.policy.source.length;
      if (load.faults > 0) break;
    }
    return batch;
  }

  async #load(batch: readonly PolicyLoad[]): Promise<void> {
    let prepared: readonly PreparedDocument[];
    try {
      prepared = await this.#options.reader.prepare(
        batch.map(({ policy: { source, json } }) => ({ source, json })),
      );
    } catch (error) {
      for (const load of batch) this.#retry(load, error);
      return;
    }
    for (const [at, load] of batch.entries()) {
      const document = prepared[at];
      if (document?.ok === true && document.parts.rego !== null) this.#loadBeside({ load, document });
      else await this.#loadOne({ load, document });
    }
  }

  /** The module of one organization may take seconds to prepare, for which no other one waits. */
  #loadBeside(prepared: PreparedLoad): void {
    const { org } = prepared.load.policy;
    const waiting = this.#moduleLoads.get(org);
    if (waiting !== undefined) {
      waiting.push(prepared);
      return;
    }
    const loads = [prepared];
    this.#moduleLoads.set(org, loads);
    const run = this.#loadInTurn(org, loads).finally(() => this.#moduleRuns.delete(run));
    this.#moduleRuns.add(run);
  }

  async #loadInTurn(org: string, loads: PreparedLoad[]): Promise<void> {
    for (let next = loads.pop(); next !== undefined; next = loads.pop()) await this.#loadOne(next);
    // In the turn of the last look, so that nothing is put into a list that nobody reads.
    this.#moduleLoads.delete(org);
  }

  async #loadOne({ load, document }: PreparedLoad): Promise<void> {
    if (!load.isWanted || this.#isClosed) return;
    const loaded = await this.#build(load, document);
    if (this.#isClosed || loaded === null) return;
    if (loaded.kind === "unloadable" && load.isWanted) this.#logUnloadable(load, loaded.detail);
    load.finish(loaded);
  }

  #logUnloadable({ policy: { org, id, version } }: PolicyLoad, detail: string): void {
    this.#unloadableLines += 1;
    if (this.#unloadableLines > MAX_UNLOADABLE_LINES) return;
    this.#options.log.error({ org, policy_id: id, version, detail }, UNLOADABLE);
  }

  /** Null: a fault that says nothing about the document; it is tried again. */
  async #build(load: PolicyLoad, prepared: PreparedDocument | undefined): Promise<LoadedPolicy | null> {
    const { org, id, version, source } = load.policy;
    const refused = (detail: string): LoadedPolicy => ({ kind: "unloadable", id, version, detail });
    if (prepared?.ok !== true) return refused(prepared?.detail ?? "it was not read");
    const { parts } = prepared;
    let evaluators: readonly Evaluator[] = [];
    try {
      if (parts.rego !== null)
        evaluators = await evaluatorsOf(this.#options.evaluators, parts, {
          organization: org,
          policyId: id,
          version,
        });
    } catch (error) {
      if (error instanceof RegoUnavailable || error instanceof ModuleUnusable) return refused(error.message);
      this.#retry(load, error);
      return null;
    }
    try {
      const policy = await this.#slices.run(compileParts(parts, evaluators));
      return { kind: "ready", version, source, policy };
    } catch (error) {
      this.#options.log.error({ err: error, policy_id: id, version }, "a valid policy could not be compiled");
      return refused("compiling it failed");
    }
  }

  #retry(load: PolicyLoad, error: unknown): void {
    if (!load.isWanted || this.#isClosed) return;
    const { log, onFault, timers } = this.#options;
    const { org, id, version } = load.policy;
    const delayMs = RETRY_DELAYS_MS[load.faults] ?? RETRY_DELAYS_MS[RETRY_DELAYS_MS.length - 1] ?? 0;
    load.noteFault();
    onFault();
    const facts = { org, policy_id: id, version, retry_in_ms: delayMs };
    log.error({ ...facts, ...faultFields(error) }, NOT_COMPILED);
    const cancel = timers.after(delayMs, () => {
      this.#retries.delete(cancel);
      this.#enqueue(load);
    });
    this.#retries.add(cancel);
  }
}

const NOT_COMPILED =
  "a policy version could not be compiled: the previous one stays in force; without one, calls are denied";
