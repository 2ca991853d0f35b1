import type { Scope } from "../kills/scope.ts";
import { MAX_TASKS, TASK_MEMORY_MS } from "../limits.ts";
import { isRecord } from "../relay/is-record.ts";
import { BloomFilter } from "./bloom-filter.ts";
import { FairEvictionMap } from "./fair-eviction-map.ts";

/** The agent that asks for a task. */
export type TaskOwner = Pick<Scope, "agentId" | "namespace">;

interface Entry {
  readonly scope: Scope;
  readonly usedMs: number;
}

/**
 * Which call began which task, and so who may fetch it and which kill switches cover it. The same id at two
 * agents is two tasks. A task is forgotten when nobody asked for it during TASK_MEMORY_MS. Past MAX_TASKS the
 * agent with the most loses its least used one. Nobody may fetch a forgotten task.
 */
export class Tasks {
  readonly #tasks = new FairEvictionMap<Entry>(MAX_TASKS);
  readonly #killed = new BloomFilter();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Remembers that the answer to a call in this scope was this task. */
  began(scope: Scope, id: string): void {
    this.#tasks.set(scope.agentId, keyOf(scope, id), { scope, usedMs: this.#monotonicMs() });
  }

  /** The scope of the call that began a task; null when this owner began no such task. */
  of(owner: TaskOwner, id: string): Scope | null {
    const key = keyOf(owner, id);
    const entry = this.#tasks.get(key);
    const nowMs = this.#monotonicMs();
    if (entry === undefined) return null;
    if (nowMs - entry.usedMs > TASK_MEMORY_MS) {
      this.#tasks.delete(key);
      return null;
    }
    this.#tasks.set(owner.agentId, key, { scope: entry.scope, usedMs: nowMs });
    return entry.scope;
  }

  /** Bars a task for good: a kill switch stopped it, or could no longer find it. */
  killed(owner: TaskOwner, id: string): void {
    this.#killed.add(keyOf(owner, id));
  }

  /** Whether a kill switch stopped it, even one that has ended since. */
  isKilled(owner: TaskOwner, id: string): boolean {
    return this.#killed.has(keyOf(owner, id));
  }
}

function keyOf({ agentId, namespace }: TaskOwner, id: string): string {
  return JSON.stringify([agentId, namespace, id]);
}

/** Longest id of a task in characters: ids are kept in memory, and repeated in a header. */
const MAX_TASK_ID_LENGTH = 1_024;

export function isTaskId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= MAX_TASK_ID_LENGTH;
}

/**
 * The id of the task in an answer, in the form of any revision; null when the answer is the result itself.
 */
export function taskIdOf(result: unknown): string | null {
  if (!isRecord(result)) return null;
  const task = result["resultType"] === "task" ? result : result["task"];
  const id = isRecord(task) ? task["taskId"] : null;
  return isTaskId(id) ? id : null;
}

/** The answer to tasks/list without the tasks of others and without those that a kill switch stopped. */
export function ownTasksOnly(result: unknown, owner: TaskOwner, tasks: Tasks): unknown {
  if (!isRecord(result)) return result;
  const listed = Array.isArray(result["tasks"]) ? (result["tasks"] as unknown[]) : [];
  const own = listed.filter((task) => {
    const id = isRecord(task) ? task["taskId"] : null;
    return isTaskId(id) && tasks.of(owner, id) !== null && !tasks.isKilled(owner, id);
  });
  return { ...result, tasks: own };
}
