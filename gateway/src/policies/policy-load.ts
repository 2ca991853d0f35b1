import type { LoadedPolicy } from "./loaded-policy.ts";

/**
 * Faults of one version, as count, after which a start no longer waits for it: some 12 seconds. One policy
 * keeps no gateway out of service, and its calls are denied meanwhile.
 */
const FAULTS_OF_A_START = 3;

/** One version of a policy as the control feed delivered it. */
export interface PolicyVersion {
  readonly org: string;
  readonly id: string;
  readonly version: number;
  /** The document as it was loaded, YAML or JSON. */
  readonly source: string;
  /** The same document as JSON; null when the feed did not send it. */
  readonly json: string | null;
}

/**
 * One version of a policy that is being loaded. It ends once: it comes into force (compiled or unloadable),
 * or a later change replaces it.
 */
export class PolicyLoad {
  readonly policy: PolicyVersion;
  /** The revision since which the version in force is not the latest. */
  readonly firstRevision: number;
  #faults = 0;
  readonly #failing = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #lastRevision: number;
  #install: ((loaded: LoadedPolicy) => void) | null = null;

  constructor(policy: PolicyVersion, revisions: { readonly first: number; readonly last: number }) {
    this.policy = policy;
    this.firstRevision = revisions.first;
    this.#lastRevision = revisions.last;
  }

  /** Whether this version is still being loaded. */
  get isWanted(): boolean {
    return this.#install !== null;
  }

  /** Resolves when this version, or a later change of the same policy, is in force. Never rejects. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** How often the reader failed on this version through no fault of the document. */
  get faults(): number {
    return this.#faults;
  }

  /** Resolves when it has ended, or has failed so often that a start goes on without it. Never rejects. */
  get awaitedByStart(): Promise<void> {
    return Promise.race([this.ended, this.#failing.promise]);
  }

  noteFault(): void {
    this.#faults += 1;
    if (this.#faults >= FAULTS_OF_A_START) this.#failing.resolve();
  }

  /** Begins the load. @param install puts the version in force */
  begin(install: (loaded: LoadedPolicy) => void): void {
    this.#install = install;
  }

  /** Called for a later change of control state that also depends on this version. */
  extendTo(revision: number): void {
    this.#lastRevision = Math.max(this.#lastRevision, revision);
  }

  /**
   * Whether a change of this revision may depend on this version. It may be true for a change that does not.
   */
  concerns(revision: number): boolean {
    return this.firstRevision <= revision && revision <= this.#lastRevision;
  }

  finish(loaded: LoadedPolicy): void {
    this.#install?.(loaded);
    this.#install = null;
    this.#ended.resolve();
  }

  /**
   * @param next the load of the version that replaces this one; null when the replacement is
   * already in force.
   */
  giveWayTo(next: PolicyLoad | null): void {
    this.#install = null;
    this.#ended.resolve(next?.ended);
  }
}
