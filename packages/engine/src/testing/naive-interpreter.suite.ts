import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { anywhere, compare } from "./naive-operators.suite.ts";
import { rewrite } from "./naive-rewrites.suite.ts";
import {
  BLOCKED,
  every,
  type Found,
  listOf,
  member,
  type Node,
  namesOf,
  STAR,
  same,
  some,
  type Truth,
  textOf,
} from "./naive-values.suite.ts";

/**
 * The policy language read word by word from its documentation, without anything that the engine uses: slow,
 * short, and for small calls only. Regular expressions, detectors and folders are read as far as generated
 * policies need them.
 */
export interface NaiveAnswer {
  readonly decision: "allow" | "deny" | "pause";
  readonly reasonCode: string | null;
  readonly ruleId: string | null;
  readonly shapedArgs: JsonValue | null;
}

interface Naive {
  readonly tool: string;
  readonly agentId: string;
  readonly namespace: string;
  readonly sessionId: string | null;
  readonly args: JsonValue;
}

export function interpret(policy: JsonObject, call: Naive): NaiveAnswer {
  const tools = (policy["tools"] ?? {}) as Node;
  const listed = (name: string): boolean => listOf(tools[name] ?? []).some((glob) => fits(glob, call.tool));
  const failClosed = policy["fail_closed"] !== false;
  if (listed("denied")) return answer("deny", "tool_denied");
  const walked = walk(listOf(policy["rules"] ?? []) as Node[], call, failClosed);
  if (walked.end !== undefined) return walked.end;
  const isAllowed = listed("allowed") || walked.allowed || !failClosed;
  if (!isAllowed) return answer("deny", "not_allowed");
  if (walked.asked !== null) return answer("pause", "approval_required", walked.asked);
  return answer("allow", null, null, same(walked.args, call.args) ? null : walked.args);
}

function answer(
  decision: NaiveAnswer["decision"],
  reasonCode: string | null,
  ruleId: string | null = null,
  shapedArgs: JsonValue | null = null,
): NaiveAnswer {
  return { decision, reasonCode, ruleId, shapedArgs };
}

interface Walked {
  readonly end?: NaiveAnswer;
  readonly allowed: boolean;
  readonly asked: string | null;
  readonly args: JsonValue;
}

function walk(rules: readonly Node[], call: Naive, failClosed: boolean): Walked {
  const priorities = [...new Set(rules.map(priorityOf))].sort((one, other) => one - other);
  let args = call.args;
  let settled: "allowed" | "asked" | null = null;
  let [allowed, asked, named]: [boolean, string | null, string | null] = [false, null, null];
  for (const priority of priorities) {
    let [allowedHere, askedHere, namedHere]: [boolean, string | null, string | null] = [false, null, null];
    for (const rule of rules.filter((one) => priorityOf(one) === priority)) {
      const [id, action] = [textOf(rule["id"]), textOf(rule["action"])];
      const match = rule["match"] as Node;
      if (!listOf(match["tool"] ?? "*").some((glob) => fits(glob, call.tool))) continue;
      const isRewrite = action === "redact" || action === "constrain";
      const approval = rule["approval"] as Node | undefined;
      const names = approval === undefined ? null : textOf(approval["workflow"]);
      if (!isRewrite && settled === "allowed") continue;
      if (!isRewrite && settled === "asked" && action !== "deny" && (names ?? named) === named) continue;
      const truth = judge(
        match,
        { ...call, args },
        { failClosed, restricts: action !== "allow", not: false },
      );
      if (action === "allow") allowedHere ||= truth === true;
      if (action === "allow" || truth === false) continue;
      if (action === "deny") return { end: answer("deny", "rule", id), allowed, asked, args };
      if (action === "require_approval") {
        const first: string | null = settled === "asked" ? asked : askedHere;
        const by: string | null = settled === "asked" ? named : namedHere;
        if (names !== null && by !== null && names !== by)
          return { end: answer("deny", "approval_workflow_conflict", first), allowed, asked, args };
        if (settled === "asked") [asked, named] = [id, names];
        else if (askedHere === null || (names !== null && by === null)) [askedHere, namedHere] = [id, names];
      }
      if (!isRewrite) continue;
      const rewritten = rewrite(args, rule[action] as Node);
      if (rewritten === BLOCKED)
        return { end: answer("deny", "constraint_unsatisfiable", id), allowed, asked, args };
      args = rewritten;
    }
    if (settled !== null) continue;
    [allowed, asked, named] = [allowedHere, askedHere, namedHere];
    if (asked !== null) settled = "asked";
    else if (allowed) settled = "allowed";
  }
  return { allowed, asked, args };
}

function priorityOf(rule: Node): number {
  return typeof rule["priority"] === "number" ? rule["priority"] : 100;
}

interface Mood {
  readonly failClosed: boolean;
  readonly restricts: boolean;
  /** Whether the condition is negated. */
  readonly not: boolean;
}

/** A `match`, or a condition in it. */
function judge(node: Node, call: Naive, mood: Mood): Truth {
  if ("field" in node || "fields" in node) return leaf(node, call, mood);
  if ("condition" in node) return judge(node["condition"] as Node, call, mood);
  if ("not" in node) {
    const inner = judge(node["not"] as Node, call, { ...mood, not: !mood.not });
    return typeof inner === "boolean" ? !inner : inner;
  }
  const inner = listOf(node["all"] ?? node["any"] ?? []).map((one) => judge(one as Node, call, mood));
  return "any" in node ? some(inner) : every(inner);
}

function leaf(node: Node, call: Naive, { failClosed, restricts, not }: Mood): Truth {
  const truth = ask(node, call);
  if (truth !== "missing" || !restricts) return truth;
  const means = node["when_missing"] ?? (failClosed ? "match" : "skip");
  // The rule is not to match because of it, also where the condition is negated.
  return means === "match" ? truth : not;
}

function ask(node: Node, call: Naive): Truth {
  const nullIsMissing = node["null"] === "missing";
  for (const quantifier of ["every", "any", "count"]) {
    if (quantifier in node) return askElements(node, quantifier, { call, nullIsMissing });
  }
  const operator = textOf(node["operator"]);
  const looksForPresence = PRESENCE.includes(operator);
  let found = fieldOf(textOf(node["field"]), call, looksForPresence);
  if (nullIsMissing && found === null) found = undefined;
  if (looksForPresence) return presence(operator, found);
  if (found === undefined) return "missing";
  if (node["field"] === "args" && operator !== "only_names") return anywhere(node, found as JsonValue);
  return test(node, found, call);
}

const PRESENCE: readonly string[] = ["exists", "not_exists", "not_empty"];

function presence(operator: string, found: Found): Truth {
  if (operator === "not_empty") {
    if (found === undefined || found === null) return false;
    return typeof found === "string" ? found.trim() !== "" : "unsure";
  }
  if (found === BLOCKED) return "unsure";
  return (found !== undefined) === (operator === "exists");
}

function askElements(
  node: Node,
  quantifier: string,
  { call, nullIsMissing }: { readonly call: Naive; readonly nullIsMissing: boolean },
): Truth {
  const places = listOf(node["fields"] ?? node["field"] ?? []).map(textOf);
  const lists = places.map((place) => elementsAt(place, call.args, nullIsMissing));
  if (lists.every((list) => list === undefined)) return "missing";
  const elements = lists.flatMap((list) => list ?? []);
  const inner = node[quantifier] as Node;
  if (quantifier === "count") {
    const areKnown = elements.every((element) => element !== undefined && element !== BLOCKED);
    if (!areKnown) return "unsure";
    const [outer, all] = [test(inner, elements.length, call), test(inner, sizeOf(elements), call)];
    return outer === all ? outer : "unsure";
  }
  const truths = elements.map((element): Truth => {
    const operator = textOf(inner["operator"]);
    if (PRESENCE.includes(operator)) return presence(operator, element);
    return element === undefined ? "unsure" : test(inner, element, call);
  });
  return quantifier === "every" ? every(truths) : some(truths);
}

function sizeOf(value: JsonValue): number {
  return Array.isArray(value) ? (value as JsonValue[]).map(sizeOf).reduce((sum, size) => sum + size, 0) : 1;
}

/** Undefined: the way to the first list is missing. */
function elementsAt(place: string, args: JsonValue, nullIsMissing: boolean): Found[] | undefined {
  const names = namesOf(place);
  const isPlain = names.every((name) => name !== STAR);
  const steps = isPlain ? [...names, STAR] : names;
  let found: Found[] = [args];
  let starred = false;
  for (const [at, step] of steps.entries()) {
    const before = found.filter((one) => one !== undefined);
    if (!starred && (before.length === 0 || (nullIsMissing && before[0] === null))) return undefined;
    found = found.flatMap((one): Found[] => {
      if (one === undefined || one === BLOCKED) return [one];
      if (typeof step !== "symbol") return [member(one, step)];
      if (Array.isArray(one)) return [...(one as JsonValue[])];
      const isObject = typeof one === "object" && one !== null;
      return isObject && !(isPlain && at === steps.length - 1) ? Object.values(one as Node) : [BLOCKED];
    });
    starred ||= step === STAR;
  }
  return found;
}

function fieldOf(field: string, call: Naive, looksForPresence: boolean): Found {
  if (field === "args") return call.args;
  if (field === "agent_id") return call.agentId;
  if (field === "namespace") return call.namespace;
  if (field === "tool") return call.tool;
  if (field === "session_id") return call.sessionId ?? undefined;
  let found: Found = call.args;
  for (const name of namesOf(field)) {
    if (name === STAR) throw new Error("a condition reads one field");
    if (found === null && looksForPresence) return undefined;
    if (found === undefined || found === BLOCKED) return found;
    found = member(found, name);
  }
  return found;
}

function test(node: Node, found: Found, call: Naive): Truth {
  if (found === BLOCKED || found === undefined) return "unsure";
  const operator = textOf(node["operator"]);
  if (node["base_field"] !== undefined) return inFolder(node, found, call);
  if (node["value_field"] === undefined) return compare(operator, found, node["value"] ?? null, node);
  const other = fieldOf(textOf(node["value_field"]), call, false);
  if (other === BLOCKED || other === undefined || other === null || typeof other === "object")
    return "unsure";
  if (other === "" && ["contains", "starts_with", "ends_with"].includes(operator)) return "unsure";
  if (typeof other !== "string" && ["starts_with", "ends_with"].includes(operator)) return "unsure";
  const truth = compare(operator, found, other, node);
  const claimsOther = (operator === "==" && truth === false) || (operator === "!=" && truth === true);
  return claimsOther && mayBeOne(found, other) ? "unsure" : truth;
}

/** Two texts that case and white space alone tell apart. */
function mayBeOne(left: JsonValue, right: JsonValue): boolean {
  if (typeof left !== "string" || typeof right !== "string") return false;
  const plain = (text: string): string =>
    text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll(/\s/g, "");
  return plain(left) === plain(right);
}

/** Relative paths begin in a folder that is an absolute text without anything to resolve. */
function inFolder(node: Node, found: JsonValue, call: Naive): Truth {
  const folder = fieldOf(textOf(node["base_field"]), call, false);
  if (typeof found !== "string" || typeof folder !== "string" || found === "") return "unsure";
  if (!/^(?:\/\w+)+$/.test(folder)) return "unsure";
  const path = found.startsWith("/") || found.trim() === "" ? found : `${folder}/${found}`;
  return compare("path_within", path, node["value"] ?? null, node);
}

function fits(glob: JsonValue, tool: string): boolean {
  const parts = textOf(glob)
    .split("*")
    .map((part) => part.replaceAll(/[.]/g, "\\."));
  return new RegExp(`^${parts.join(".*")}$`).test(tool);
}
