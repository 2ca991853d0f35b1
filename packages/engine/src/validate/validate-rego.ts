import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { MODULE_RULE_IDS } from "../module-rule-ids.ts";
import type { PlacedModule, Rule } from "../policy-document.ts";
import { plainValue } from "../read/plain-value.ts";
import type { Place, Reporter } from "../read/reporter.ts";
import { type MapEntry, quoteShort, type SourceNode } from "../read/source-node.ts";
import { textDefinition } from "./definitions.ts";
import {
  expectIdentifier,
  expectMap,
  expectMembers,
  expectText,
  type MissingKey,
  missingKey,
  refuse,
} from "./expect.ts";
import { placeSchema } from "./json-schema.ts";
import { isPlainNumber, NUMBER_EXPECTATION } from "./numbers.ts";

const MISSING_MODULE: MissingKey = {
  place: "rego",
  key: "module",
  expected: "the text of the module",
  fix: "add module: | and the module below it",
};

const TEXT_SCHEMA: JsonObject = { type: "string", pattern: "\\S" };

export const REGO_SCHEMA: JsonObject = {
  anyOf: [
    TEXT_SCHEMA,
    placeSchema(
      "rego",
      { module: TEXT_SCHEMA, data: { type: "object" }, workflow: textDefinition("identifier") },
      { required: ["module"] },
    ),
  ],
};

/**
 * The module of a policy: its text, or its text with data and the workflow of its approvals. Whether the text
 * is Rego is found out by what runs it.
 */
export function validateRego(node: SourceNode, reporter: Reporter): PlacedModule | null {
  if (node.kind !== "map") {
    const text = moduleText(node, reporter);
    return text === null ? null : { text, data: null, workflow: null, place: placeOf(node) };
  }
  const members = expectMembers(node, "rego", reporter);
  if (members === null) return null;
  const [module, data, workflow] = [members.get("module"), members.get("data"), members.get("workflow")];
  if (module === undefined) return missingKey(node, MISSING_MODULE, reporter);
  const text = moduleText(module, reporter);
  const map =
    data === undefined ? null : expectMap(data, "a mapping that the module reads as data", reporter);
  const id = workflow === undefined ? null : expectIdentifier(workflow, reporter);
  if (text === null || (data !== undefined && map === null) || (workflow !== undefined && id === null))
    return null;
  if (map !== null && !hasPlainNumbers(map, "data", reporter)) return null;
  const value = map === null ? null : plainValue(map);
  return { text, data: isJsonObject(value) ? value : null, workflow: id, place: placeOf(module) };
}

/** JSON has no infinity, and a limit that reading has changed would be another limit than the one written. */
function hasPlainNumbers(node: SourceNode, path: string, reporter: Reporter): boolean {
  switch (node.kind) {
    case "scalar":
      if (typeof node.value !== "number" || isPlainNumber(node)) return true;
      return refuseNumber(node, path, reporter);
    case "list":
      return node.items
        .map((item, at) => hasPlainNumbers(item, `${path}[${String(at)}]`, reporter))
        .every(Boolean);
    case "map":
      return node.entries
        .map(({ key, value }) => hasPlainNumbers(value, memberPath(path, key), reporter))
        .every(Boolean);
  }
}

function memberPath(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${quoteShort(key)}]`;
}

function refuseNumber(node: SourceNode, path: string, reporter: Reporter): false {
  refuse("policy/invalid-number", node, reporter, {
    message: `a module cannot read the number ${path} as it is written`,
    expected: NUMBER_EXPECTATION,
    fix: "write a number of at most 15 digits, or its digits as a text in quotes",
  });
  return false;
}

function placeOf({ pointer, offset }: SourceNode): Place {
  return { pointer, offset };
}

function moduleText(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a module in Rego, or a mapping with the key module", reporter);
  if (text === null || text.trim() !== "") return text;
  return refuse("policy/invalid-text", node, reporter, {
    message: "the module is blank",
    expected: "a module in Rego",
    fix: "write the module, or remove the key rego",
  });
}

/** Verdicts and rows could not tell a rule of such an id from the module. */
export function refuseModuleIds(rules: readonly Rule[], reporter: Reporter): void {
  for (const { id, place } of rules) {
    if (!Object.values<string>(MODULE_RULE_IDS).includes(id)) continue;
    reporter.report("policy/duplicate-id", place, {
      message: `the rule id ${id} stands for what the module of the policy says`,
      expected: "an id of its own for every rule",
      found: "an id of the module",
      fix: `give this rule another id, such as ${id.replace(":", "-")}`,
    });
  }
}

/**
 * Where nothing runs modules. To leave the module out would loosen the policy, so the document is refused.
 */
export function refuseRego({ value, keyOffset }: MapEntry, reporter: Reporter): void {
  reporter.report(
    "policy/rego-unavailable",
    { pointer: value.pointer, offset: keyOffset },
    {
      message: "nothing here evaluates Rego modules",
      expected: "a policy of tool lists and rules",
      found: "a Rego module",
      fix: "write what the module denies under tools.denied and rules, then remove the key rego",
    },
  );
}
