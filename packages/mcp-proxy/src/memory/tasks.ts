import { FairEvictionMap } from "./fair-eviction-map.ts";
import { isRecord } from "../relay/is-record.ts";
import type { Scope } from "../kills/scope.ts";
import { BloomFilter } from "./bloom-filter.ts";
import { MAX_TASKS, TASK_MEMORY_MS } from "../limits.ts";

/** Who asks for a task. */
export type TaskOwner = Pick<Scope, "agentId" | "namespace">;

interface Entry {
  readonly scope: Scope;
  readonly usedMs: number;
}

/**
 * Which call began which task: who may fetch it, and which kills mean it. The same id given to two agents is
 * two tasks, each its own. Forgets a task that was not asked for during TASK_MEMORY_MS, past MAX_TASKS the
 * least used one of the agent with the most, and all at a restart: what is forgotten is nobody's.
 */
export class Tasks {
  readonly #tasks = new FairEvictionMap<Entry>(MAX_TASKS);
  readonly #killed = new BloomFilter();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** A call in this scope was answered by this task. */
  began(scope: Scope, id: string): void {
    this.#tasks.set(scope.agentId, keyOf(scope, id), { scope, usedMs: this.#monotonicMs() });
  }

  /** The scope of the call that began it; null: this owner began no such task. */
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

  /** A kill met it, or would not find it any more. */
  killed(owner: TaskOwner, id: string): void {
    this.#killed.add(keyOf(owner, id));
  }

  /** Whether a kill met it, also one that is over. */
  isKilled(owner: TaskOwner, id: string): boolean {
    return this.#killed.has(keyOf(owner, id));
  }
}

function keyOf({ agentId, namespace }: TaskOwner, id: string): string {
  return JSON.stringify([agentId, namespace, id]);
}

/** Longest id of a task in characters: it is remembered, and repeated in a header. */
const MAX_TASK_ID_LENGTH = 1_024;

export function isTaskId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= MAX_TASK_ID_LENGTH;
}

/** The id of the task that a result stands for, in the form of either era; null: it is a result. */
export function taskIdOf(result: unknown): string | null {
  if (!isRecord(result)) return null;
  const task = result["resultType"] === "task" ? result : result["task"];
  const id = isRecord(task) ? task["taskId"] : null;
  return isTaskId(id) ? id : null;
}

/** The answer to tasks/list without the tasks of others and those that a kill met. */
export function ownTasksOnly(result: unknown, owner: TaskOwner, tasks: Tasks): unknown {
  if (!isRecord(result)) return result;
  const listed = Array.isArray(result["tasks"]) ? (result["tasks"] as unknown[]) : [];
  const own = listed.filter((task) => {
    const id = isRecord(task) ? task["taskId"] : null;
    return isTaskId(id) && tasks.of(owner, id) !== null && !tasks.isKilled(owner, id);
  });
  return { ...result, tasks: own };
}
