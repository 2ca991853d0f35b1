import { onlyValue } from "@svc/engine/comparable-values";
import { jsonTree } from "@svc/engine/json-tree";
import { plainValue } from "@svc/engine/plain-value";
import { ANY_TOOL, DEFAULT_PRIORITY } from "@svc/engine/policy-document";
import { Reporter } from "@svc/engine/reporter";
import { resolveLists } from "@svc/engine/resolve-lists";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { formatUsd, parseUsd } from "@svc/text/usd";
import { comparableCondition } from "./comparable-condition.ts";

/** A document in the form in which two are compared: defaults written out, one spelling for one meaning. */
export interface ComparableDocument {
  /** Everything but the tool lists and the rules. */
  readonly fields: JsonObject;
  readonly allowed: ReadonlySet<string>;
  readonly denied: ReadonlySet<string>;
  readonly readOnly: ReadonlySet<string>;
  /** By id, in the order of the document, without the id. */
  readonly rules: ReadonlyMap<string, JsonObject>;
}

/** Total: what does not have the form of a valid document is compared as it stands. */
export function comparableDocument(document: JsonObject): ComparableDocument {
  const { tools, rules, cost, lists: _resolved, ...rest } = withoutLists(document);
  const lists = isJsonObject(tools) ? tools : {};
  const { allowed, denied, read_only: readOnly, ...otherTools } = lists;
  return {
    fields: {
      ...rest,
      governance_mode: rest["governance_mode"] ?? "enforcement",
      fail_closed: rest["fail_closed"] ?? true,
      ...(cost === undefined ? {} : { cost: comparableCost(cost) }),
      ...(Object.keys(otherTools).length === 0 ? {} : { tools: otherTools }),
    },
    allowed: globsOf(allowed),
    denied: globsOf(denied),
    readOnly: globsOf(readOnly),
    rules: rulesOf(rules),
  };
}

/** The values of the lists stand where the document names them. */
function withoutLists(document: JsonObject): JsonObject {
  const resolved = resolveLists(jsonTree(document), new Reporter("", null));
  const value = resolved === null ? document : plainValue(resolved);
  return isJsonObject(value) ? value : document;
}

function globsOf(list: JsonValue | undefined): ReadonlySet<string> {
  return new Set(itemsOf(list).map((glob) => (typeof glob === "string" ? glob : JSON.stringify(glob))));
}

function rulesOf(list: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  const rules = itemsOf(list).filter(isJsonObject);
  return new Map(
    rules.map((rule) => {
      const { id, ...rest } = rule;
      return [typeof id === "string" ? id : JSON.stringify(id ?? null), comparableRule(rest)];
    }),
  );
}

function comparableRule(rule: JsonObject): JsonObject {
  const { match } = rule;
  return {
    ...rule,
    priority: rule["priority"] ?? DEFAULT_PRIORITY,
    ...(isJsonObject(match) ? { match: comparableMatch(match) } : {}),
  };
}

/** One tool and a list of it mean the same, and so do a list of one condition and that condition. */
function comparableMatch({ tool, ...match }: JsonObject): JsonObject {
  const conditions = Object.fromEntries(
    Object.entries(match).map(([key, value]) => [key, comparableGroup(value)]),
  );
  const only = onlyItem(conditions["all"]) ?? onlyItem(conditions["any"]);
  const isOne = only !== null && Object.keys(conditions).length === 1;
  return {
    tool: tool === undefined ? ANY_TOOL : onlyValue(tool),
    ...(isOne ? { condition: only } : conditions),
  };
}

function comparableGroup(value: JsonValue): JsonValue {
  return Array.isArray(value) ? itemsOf(value).map(comparableCondition) : comparableCondition(value);
}

function onlyItem(list: JsonValue | undefined): JsonValue | null {
  const [first, ...others] = itemsOf(list);
  return first === undefined || others.length > 0 ? null : first;
}

/** `25`, `"25"` and `"25.00"` are one amount. */
function comparableCost(cost: JsonValue): JsonValue {
  if (!isJsonObject(cost)) return cost;
  const { max_usd_per_session: most, tool_prices: prices, ...rest } = cost;
  return {
    ...rest,
    ...(most === undefined ? {} : { max_usd_per_session: amountOf(most) }),
    ...(prices === undefined ? {} : { tool_prices: comparablePrices(prices) }),
  };
}

function comparablePrices(prices: JsonValue): JsonValue {
  if (!isJsonObject(prices)) return prices;
  return Object.fromEntries(Object.entries(prices).map(([glob, usd]) => [glob, amountOf(usd)]));
}

function amountOf(usd: JsonValue): JsonValue {
  const microUsd = parseUsd(usd);
  return microUsd === null ? usd : formatUsd(microUsd);
}

function itemsOf(list: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}
