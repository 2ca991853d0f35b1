import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { pointerOf } from "../problems/problem-entry.ts";

/** One change of arguments. Without `value` the member is removed. */
export interface ArgsChange {
  readonly path: readonly (string | number)[];
  readonly value?: JsonValue;
}

/** The changes that an approver made to the arguments of a call. */
export type ArgsEdit = readonly ArgsChange[];

/**
 * `hidden`: the edit replaces a list or an object that may hold masked values, so the approver does not know
 * what it replaces. `moved_mask`: it writes a mask to a place that does not have it, where the call would run
 * with the mask for a value.
 */
export type EditResult =
  | { readonly kind: "edit"; readonly edit: ArgsEdit }
  | { readonly kind: "hidden" | "moved_mask"; readonly pointer: string };

/** How every mask begins. */
const MASK = "[masked";

/** The name of the only member when a row holds no arguments. */
const NOTHING_SHOWN = "[masked]";

/** Most changes of arguments with masked values, as count: each is applied while the call waits. */
const MAX_CHANGES = 256;

/**
 * The changes that make the wanted arguments of the shown ones. When values are masked, the changes keep
 * every value that the approver left as it was shown, so that the call keeps its unmasked one.
 * @param isMasked whether the shown arguments hide values of the call
 */
export function editBetween(shown: JsonObject, wanted: JsonObject, isMasked: boolean): EditResult {
  if (!isMasked) return { kind: "edit", edit: [{ path: [], value: wanted }] };
  if (Object.hasOwn(shown, NOTHING_SHOWN)) return { kind: "hidden", pointer: "" };
  const changes: ArgsChange[] = [];
  const hidden = compare([shown, wanted], { path: [], changes });
  if (hidden !== null) return { kind: "hidden", pointer: pointerOf(hidden) };
  const moved = changes.find(({ value }) => value !== undefined && JSON.stringify(value).includes(MASK));
  if (moved !== undefined) return { kind: "moved_mask", pointer: pointerOf(moved.path) };
  return changes.length > MAX_CHANGES ? { kind: "hidden", pointer: "" } : { kind: "edit", edit: changes };
}

type Path = ArgsChange["path"];

interface Comparison {
  readonly path: Path;
  readonly changes: ArgsChange[];
}

/** @returns the place that cannot be changed; null when there is none. */
function compare([shown, wanted]: readonly [JsonValue, JsonValue], at: Comparison): Path | null {
  if (isJsonObject(shown) && isJsonObject(wanted)) return compareObjects(shown, wanted, at);
  if (isList(shown) && isList(wanted) && shown.length === wanted.length) {
    for (const [index, item] of shown.entries()) {
      const hidden = compare([item, wanted[index] ?? null], { ...at, path: [...at.path, index] });
      if (hidden !== null) return hidden;
    }
    return null;
  }
  if (shown === wanted) return null;
  if (isFilled(shown) && typeof wanted === "object" && wanted !== null) return at.path;
  at.changes.push({ path: at.path, value: wanted });
  return null;
}

function compareObjects(shown: JsonObject, wanted: JsonObject, at: Comparison): Path | null {
  for (const name of Object.keys(shown)) {
    if (!Object.hasOwn(wanted, name)) at.changes.push({ path: [...at.path, name] });
  }
  for (const [name, value] of Object.entries(wanted)) {
    const path = [...at.path, name];
    if (!Object.hasOwn(shown, name)) at.changes.push({ path, value });
    else {
      const hidden = compare([shown[name] ?? null, value], { ...at, path });
      if (hidden !== null) return hidden;
    }
  }
  return null;
}

function isList(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}

function isFilled(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/**
 * The arguments of a call with the changes of an approver. The arguments stay as they are.
 * @throws when a change names a place that these arguments do not have: they are not those of the approval
 */
export function applyEdit(args: JsonObject, edit: ArgsEdit): JsonObject {
  let edited: JsonObject = args;
  for (const change of edit) {
    const next = changeAt(edited, change, 0);
    if (!isJsonObject(next)) throw new Error("an edit replaced the arguments by something else");
    edited = next;
  }
  return edited;
}

function changeAt(value: JsonValue, change: ArgsChange, depth: number): JsonValue {
  const step = change.path[depth];
  if (step === undefined) return change.value ?? null;
  const isLast = depth === change.path.length - 1;
  if (typeof step === "number") {
    if (!isList(value) || step >= value.length) throw new Error("an edit names an item that is not there");
    return value.map((item, index) => (index === step ? changeAt(item, change, depth + 1) : item));
  }
  if (!isJsonObject(value)) throw new Error("an edit names a member of something that is not an object");
  const isThere = Object.hasOwn(value, step);
  if (!isThere && !isLast) throw new Error("an edit names a member that is not there");
  const isRemoved = isLast && !Object.hasOwn(change, "value");
  const members = Object.entries(value).filter(([name]) => !(isRemoved && name === step));
  if (isRemoved) return objectOf(members);
  const next = changeAt(isThere ? (value[step] ?? null) : null, change, depth + 1);
  const changed = members.map(([name, item]) => [name, name === step ? next : item] as const);
  return objectOf(isThere ? changed : [...changed, [step, next]]);
}

/** Without a prototype, so that a member may have any name. */
function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  const made = Object.create(null) as Record<string, JsonValue>;
  for (const [name, value] of members) made[name] = value;
  return made;
}
