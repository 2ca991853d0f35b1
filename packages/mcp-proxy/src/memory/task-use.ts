import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { confusableWith } from "@svc/tool-calls/confusables";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import type { Caller } from "../headers/caller.ts";
import type { Scope } from "../kills/scope.ts";
import { isTaskId, type Tasks } from "./tasks.ts";

/** A task that a request names, with the scope of the call that began it. */
export interface NamedTask {
  readonly id: string;
  readonly scope: Scope;
}

/** The tasks that a request names. `foreign`: its caller did not begin one of them, or it was forgotten. */
export type TaskUse =
  | { readonly kind: "none" }
  | { readonly kind: "foreign" }
  | { readonly kind: "own"; readonly tasks: readonly [NamedTask, ...NamedTask[]] };

const BY_ID: ReadonlySet<string> = new Set(["tasks/get", "tasks/result", "tasks/update", "tasks/cancel"]);

/** Finds the tasks that a request names. A server may give a task to anybody who knows its id. */
export function taskUseOf({ method, params }: RpcRequest, caller: Caller, tasks: Tasks): TaskUse {
  const ids = BY_ID.has(method) ? [params["taskId"]] : watched(method, params);
  if (ids === null) return { kind: "foreign" };
  const named: NamedTask[] = [];
  for (const id of ids) {
    const scope = isTaskId(id) ? tasks.of(caller, id) : null;
    if (!isTaskId(id) || scope === null) return { kind: "foreign" };
    named.push({ id, scope });
  }
  const [first, ...others] = named;
  return first === undefined ? { kind: "none" } : { kind: "own", tasks: [first, ...others] };
}

/**
 * The tasks that a subscription asks about, whose notifications carry results. Null: two parsers could read
 * different tasks in it.
 */
function watched(method: string, params: JsonObject): readonly unknown[] | null {
  if (method !== "subscriptions/listen") return [];
  if (confusableWith(Object.keys(params), ["notifications"]) !== null) return null;
  const filter = Object.hasOwn(params, "notifications") ? params["notifications"] : {};
  if (!isJsonObject(filter) || confusableWith(Object.keys(filter), ["taskIds"]) !== null) return null;
  const ids = Object.hasOwn(filter, "taskIds") ? filter["taskIds"] : [];
  return Array.isArray(ids) ? ids : null;
}
