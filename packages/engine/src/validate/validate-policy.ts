import { MAX_GLOBS_PER_LIST, MAX_REASON_LENGTH, MAX_RULES_PER_POLICY } from "@svc/contract/limits";
import type { JsonObject } from "@svc/text/json-value";
import { type Guardrail, guardrailVersion } from "../guardrails/guardrail.ts";
import { SEALED_KEY, sealedGuardrails } from "../guardrails/sealed-guardrails.ts";
import type { PlacedGlob, PolicyDocument } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import type { MapEntry, SourceNode } from "../read/source-node.ts";
import { textDefinition } from "./definitions.ts";
import { DetectorsByName } from "./detectors-by-name.ts";
import {
  expectAgentName,
  expectAtMost,
  expectBoolean,
  expectGlob,
  expectIdentifier,
  expectList,
  expectMap,
  expectMembers,
  expectName,
  expectText,
  FEWER_BY_GLOBS,
  type Members,
  type MissingKey,
  missingKey,
  refuse,
} from "./expect.ts";
import { namesSchema } from "./explain-name.ts";
import { LIST_REFERENCE, placeSchema } from "./json-schema.ts";
import { MODE_LIST } from "./name-lists.ts";
import { expectInteger, integerSchema } from "./numbers.ts";
import { PatternBudget } from "./pattern-budget.ts";
import { LISTS_SCHEMA, resolveLists } from "./resolve-lists.ts";
import { expectUsd, USD_SCHEMA } from "./usd.ts";
import { OWN_DETECTORS_SCHEMA, validateDetectors } from "./validate-detectors.ts";
import { REGO_SCHEMA, refuseModuleIds, refuseRego, validateRego } from "./validate-rego.ts";
import { RULE_SCHEMA, validateRules } from "./validate-rules.ts";

const MISSING_ID: MissingKey = {
  place: "policy",
  key: "id",
  expected: "an id that names the policy for good",
  fix: "add id: my-policy",
};

/** Most steps that a ceiling can name, as count: beyond it a ceiling is none. */
const MAX_STEPS = 1_000_000_000;

const REGO_KEY = "rego";

/** Whether the module of a policy is read, or refused because what asks runs none. */
export type ModuleReading = "read" | "refused";

const GLOBS_SCHEMA: JsonObject = {
  anyOf: [
    LIST_REFERENCE,
    {
      type: "array",
      items: { anyOf: [textDefinition("glob"), LIST_REFERENCE] },
      maxItems: MAX_GLOBS_PER_LIST,
    },
  ],
};

const PRICES_SCHEMA: JsonObject = {
  type: "object",
  propertyNames: textDefinition("glob"),
  additionalProperties: USD_SCHEMA,
  minProperties: 1,
  maxProperties: MAX_GLOBS_PER_LIST,
};

/** Schema of the whole document. */
export const POLICY_SCHEMA: JsonObject = placeSchema(
  "policy",
  {
    id: textDefinition("identifier"),
    name: { type: "string", pattern: "\\S", maxLength: MAX_REASON_LENGTH },
    agent_id: textDefinition("name"),
    governance_mode: namesSchema(MODE_LIST),
    fail_closed: { type: "boolean" },
    lists: LISTS_SCHEMA,
    session: placeSchema("session", { max_steps: integerSchema(0, MAX_STEPS) }),
    cost: placeSchema("cost", { max_usd_per_session: USD_SCHEMA, tool_prices: PRICES_SCHEMA }),
    tools: placeSchema("tools", { allowed: GLOBS_SCHEMA, denied: GLOBS_SCHEMA, read_only: GLOBS_SCHEMA }),
    detectors: OWN_DETECTORS_SCHEMA,
    rules: { type: "array", items: RULE_SCHEMA, maxItems: MAX_RULES_PER_POLICY },
    rego: REGO_SCHEMA,
  },
  { required: ["id"] },
);

/** How a document is read beside its text. */
export interface DocumentReading {
  /** Refused unless said. */
  readonly modules?: ModuleReading | undefined;
  /** Those that the document may name; `sealed`: those that it holds. None unless said. */
  readonly guardrails?: readonly Guardrail[] | "sealed" | undefined;
}

/** Types the document and reports every fault. The result counts only while the reporter holds no error. */
export function validatePolicy(
  written: SourceNode,
  reporter: Reporter,
  { modules = "refused", guardrails = [] }: DocumentReading = {},
): PolicyDocument | null {
  const patterns = new PatternBudget();
  const { section, rest: open } = guardrails === "sealed" ? sealApart(written) : notSealed(written);
  const known = guardrails === "sealed" ? sealOf(section, patterns, reporter) : guardrails;
  const { module, rest } = apart(open);
  const root = resolveLists(rest, reporter);
  if (module !== null && modules === "refused") refuseRego(module, reporter);
  if (root === null) return null;
  const members = expectMembers(root, "policy", reporter);
  if (members === null) return null;
  const id = members.get("id");
  if (id === undefined) missingKey(root, MISSING_ID, reporter);
  const session = sectionOf(members, "session", reporter);
  const cost = sectionOf(members, "cost", reporter);
  const tools = sectionOf(members, "tools", reporter);
  const own = validateDetectors(members.get("detectors"), patterns, reporter);
  const detectors = new DetectorsByName(own, known);
  const scope = { patterns, detectors };
  const rules = optional(members.get("rules"), (node) => validateRules(node, scope, reporter)) ?? [];
  if (module !== null) refuseModuleIds(rules, reporter);
  const used = detectors.usedGuardrails();
  refuseVastGuardrails(root, { used, patterns }, reporter);
  return {
    id: optional(id, (node) => expectIdentifier(node, reporter)) ?? "",
    name: optional(members.get("name"), (node) => expectLabel(node, reporter)),
    agentId: optional(members.get("agent_id"), (node) => expectAgentName(node, reporter)),
    mode:
      optional(members.get("governance_mode"), (node) => expectName(node, MODE_LIST, reporter)) ??
      "enforcement",
    failClosed: optional(members.get("fail_closed"), (node) => expectBoolean(node, reporter)) ?? true,
    maxSteps: optional(session?.get("max_steps"), (node) =>
      expectInteger(node, { min: 0, max: MAX_STEPS }, reporter),
    ),
    maxCostMicroUsd: optional(cost?.get("max_usd_per_session"), (node) => expectUsd(node, reporter)),
    toolPrices: optional(cost?.get("tool_prices"), (node) => toolPrices(node, reporter)) ?? [],
    allowed: optional(tools?.get("allowed"), (node) => globs(node, reporter)) ?? [],
    denied: optional(tools?.get("denied"), (node) => globs(node, reporter)) ?? [],
    readOnly: optional(tools?.get("read_only"), (node) => globs(node, reporter)) ?? [],
    detectors: [...own.values()],
    namedGuardrails: used,
    guardrails: used.map(guardrailVersion),
    rules,
    rego: module === null || modules === "refused" ? null : validateRego(module.value, reporter),
  };
}

/** The entry of the module, and the document without it: its data may hold any JSON. */
function apart(root: SourceNode): { readonly module: MapEntry | null; readonly rest: SourceNode } {
  const module = root.kind === "map" ? root.entries.find(({ key }) => key === REGO_KEY) : undefined;
  if (root.kind !== "map" || module === undefined) return { module: null, rest: root };
  return { module, rest: { ...root, entries: root.entries.filter((entry) => entry !== module) } };
}

interface Apart {
  /** Null: it is not there. */
  readonly section: SourceNode | null;
  readonly rest: SourceNode;
}

function notSealed(rest: SourceNode): Apart {
  return { section: null, rest };
}

function sealApart(root: SourceNode): Apart {
  const entry = root.kind === "map" ? root.entries.find(({ key }) => key === SEALED_KEY) : undefined;
  if (root.kind !== "map" || entry === undefined) return notSealed(root);
  const entries = root.entries.filter((one) => one !== entry);
  return { section: entry.value, rest: { ...root, entries } };
}

function sealOf(
  section: SourceNode | null,
  patterns: PatternBudget,
  reporter: Reporter,
): readonly Guardrail[] {
  return section === null ? [] : sealedGuardrails(section, patterns, reporter);
}

/** Their patterns are compiled with the policy, so they count as those of the policy. */
function refuseVastGuardrails(
  root: SourceNode,
  { used, patterns }: { readonly used: readonly Guardrail[]; readonly patterns: PatternBudget },
  reporter: Reporter,
): void {
  for (const guardrail of used) for (const { matches } of guardrail.patterns) patterns.sizeOf(matches);
  if (used.length === 0 || !patterns.isSpent || reporter.hasErrors) return;
  refuse("policy/invalid-regex", root, reporter, {
    message: "the patterns of the document and of its guardrails are too large together",
    expected: "patterns of modest size",
    fix: "name fewer guardrails, or write shorter patterns",
  });
}

function sectionOf(members: Members, key: "session" | "cost" | "tools", reporter: Reporter): Members | null {
  return optional(members.get(key), (node) => expectMembers(node, key, reporter));
}

function optional<T>(node: SourceNode | undefined, validate: (node: SourceNode) => T | null): T | null {
  return node === undefined ? null : validate(node);
}

function expectLabel(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a text", reporter);
  if (text === null || (text.trim() !== "" && text.length <= MAX_REASON_LENGTH)) return text;
  return refuse("policy/invalid-text", node, reporter, {
    message: "the name must be a short text",
    expected: `1 to ${String(MAX_REASON_LENGTH)} characters that are not all blank`,
    fix: "write a name for people, or remove the key",
  });
}

function globs(node: SourceNode, reporter: Reporter): PlacedGlob[] {
  const list = expectList(node, "a list of tool names or globs", reporter);
  if (list === null || !expectAtMost(list, MAX_GLOBS_PER_LIST, reporter, FEWER_BY_GLOBS)) return [];
  return list.items.flatMap((item) => {
    const glob = expectGlob(item, reporter);
    return glob === null ? [] : [{ glob, place: item }];
  });
}

function toolPrices(node: SourceNode, reporter: Reporter): { glob: string; microUsd: number }[] {
  const map = expectMap(node, "a mapping of tool names or globs to USD", reporter);
  if (map === null) return [];
  const items = map.entries.map(({ value }) => value);
  if (
    !expectAtMost(
      { kind: "list", items, pointer: map.pointer, offset: map.offset },
      MAX_GLOBS_PER_LIST,
      reporter,
      FEWER_BY_GLOBS,
    )
  ) {
    return [];
  }
  return map.entries.flatMap(({ key, keyOffset, value }) => {
    const keyNode: SourceNode = {
      kind: "scalar",
      value: key,
      text: key,
      pointer: value.pointer,
      offset: keyOffset,
    };
    const glob = expectGlob(keyNode, reporter);
    const microUsd = expectUsd(value, reporter);
    return glob === null || microUsd === null ? [] : [{ glob, microUsd }];
  });
}
