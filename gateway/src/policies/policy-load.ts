import type { LoadedPolicy } from "./loaded-policy.ts";

/** One version of a policy as the feed of control state brought it. */
export interface PolicyVersion {
  readonly org: string;
  readonly id: string;
  readonly version: number;
  /** The document as it was loaded, YAML or JSON. */
  readonly source: string;
  /** The same document as JSON; null where the feed did not bring it. */
  readonly json: string | null;
}

/**
 * One version of a policy on its way into force. It ends once: by coming into force, as a policy or as one
 * that cannot be loaded, or because a later change took its place.
 */
export class PolicyLoad {
  readonly policy: PolicyVersion;
  /** The revision since which the version in force is not the latest. */
  readonly firstRevision: number;
  /** How often its compilation failed for reasons that are not the document's. */
  faults = 0;
  readonly #ended = Promise.withResolvers<void>();
  #lastRevision: number;
  #install: ((loaded: LoadedPolicy) => void) | null = null;

  constructor(policy: PolicyVersion, revisions: { readonly first: number; readonly last: number }) {
    this.policy = policy;
    this.firstRevision = revisions.first;
    this.#lastRevision = revisions.last;
  }

  /** Whether anything still waits for this version. */
  get isWanted(): boolean {
    return this.#install !== null;
  }

  /** Resolves when this version, or a later change of the same policy, is in force. Never rejects. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Names what puts the version in force. */
  begin(install: (loaded: LoadedPolicy) => void): void {
    this.#install = install;
  }

  /** A later change of control state that counts on this version as well. */
  extendTo(revision: number): void {
    this.#lastRevision = Math.max(this.#lastRevision, revision);
  }

  /** Whether a change of this revision is in force only with this version. May be true of others, too. */
  concerns(revision: number): boolean {
    return this.firstRevision <= revision && revision <= this.#lastRevision;
  }

  finish(loaded: LoadedPolicy): void {
    this.#install?.(loaded);
    this.#install = null;
    this.#ended.resolve();
  }

  /** @param next the load of the version that takes its place; null: what takes its place is in force. */
  giveWayTo(next: PolicyLoad | null): void {
    this.#install = null;
    this.#ended.resolve(next?.ended);
  }
}
