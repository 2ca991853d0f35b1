import { isJsonObject, type JsonObject, type JsonValue } from "@svc/contract/json-value";
import { formatUsd, parseUsd } from "@svc/contract/usd";
import { ANY_TOOL, DEFAULT_PRIORITY } from "../policy-document.ts";

/** A document in the form in which two are compared: defaults written out, one spelling for one meaning. */
export interface ComparableDocument {
  /** Everything but the tool lists and the rules. */
  readonly fields: JsonObject;
  readonly allowed: ReadonlySet<string>;
  readonly denied: ReadonlySet<string>;
  /** By id, in the order of the document, without the id. */
  readonly rules: ReadonlyMap<string, JsonObject>;
}

/** Total: what does not have the form of a valid document is compared as it stands. */
export function comparableDocument(document: JsonObject): ComparableDocument {
  const { tools, rules, cost, ...rest } = document;
  const lists = isJsonObject(tools) ? tools : {};
  const { allowed, denied, ...otherTools } = lists;
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
    rules: rulesOf(rules),
  };
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

/** A list of one condition means the same as that condition, whichever list it is. */
function comparableMatch({ all, any, ...match }: JsonObject): JsonObject {
  const only = onlyItem(all) ?? onlyItem(any);
  const conditions: JsonObject =
    only === null
      ? { ...(all === undefined ? {} : { all }), ...(any === undefined ? {} : { any }) }
      : { condition: only };
  return { tool: ANY_TOOL, ...match, ...conditions };
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
