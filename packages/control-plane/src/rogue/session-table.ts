import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import type { SessionName, SupervisedSession } from "@svc/store/ports/supervision-store";
import { DeadlineHeap, type Timed } from "./deadline-heap.ts";
import { Grouped } from "./grouped.ts";
import type { ParentLoss } from "./next-step.ts";

/** A supervised session in the memory of a supervisor. Times are of the watched clock unless they say so. */
export interface Entry extends Timed {
  session: SupervisedSession;
  /** In force when it was considered last. */
  settings: RogueDetectionSettings;
  heardAtMs: number;
  /** The same by the monotonic clock of the process, which also runs while nobody watches. */
  answeredAtMs: number;
  /** Null: it is not a potential orphan. */
  orphanedAtMs: number | null;
  /** What the last look at its parent found. */
  parentLoss: ParentLoss | null;
  /** When to look at its parent again; infinity: it has none. */
  parentLookMs: number;
}

/**
 * The sessions that a supervisor watches, by name, by session id and by agent, and which is due next.
 * What happens to one session does not touch the others.
 */
export class SessionTable {
  readonly due = new DeadlineHeap<Entry>();
  readonly #byName = new Map<string, Entry>();
  readonly #bySessionId = new Grouped<Entry>();
  readonly #byAgent = new Grouped<Entry>();

  get size(): number {
    return this.#byName.size;
  }

  all(): Iterable<Entry> {
    return this.#byName.values();
  }

  find(name: SessionName): Entry | null {
    return this.#byName.get(nameText(name)) ?? null;
  }

  /** Sessions with this id, whichever agent of the organization they belong to. */
  withSessionId(org: string, sessionId: string): Iterable<Entry> {
    return this.#bySessionId.of(text(org, sessionId));
  }

  ofAgent(org: string, agentId: string): Iterable<Entry> {
    return this.#byAgent.of(text(org, agentId));
  }

  add(entry: Entry): void {
    const { org, agentId, sessionId } = entry.session;
    this.#byName.set(nameText(entry.session), entry);
    this.#bySessionId.add(text(org, sessionId), entry);
    this.#byAgent.add(text(org, agentId), entry);
  }

  remove(entry: Entry): void {
    const { org, agentId, sessionId } = entry.session;
    this.#byName.delete(nameText(entry.session));
    this.#bySessionId.remove(text(org, sessionId), entry);
    this.#byAgent.remove(text(org, agentId), entry);
    this.due.remove(entry);
  }
}

/** No name holds this character. */
const SEPARATOR = "\0";

function text(org: string, id: string): string {
  return org + SEPARATOR + id;
}

function nameText({ org, agentId, sessionId }: SessionName): string {
  return org + SEPARATOR + agentId + SEPARATOR + sessionId;
}
