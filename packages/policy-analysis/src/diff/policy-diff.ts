import type { PolicyChange } from "@svc/contract/policy-change";
import { canonicalJson } from "@svc/text/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { comparableDocument } from "./comparable-document.ts";
import { movedRules } from "./moved-rules.ts";

type ChangeSection = PolicyChange["section"];

/**
 * Every difference in what two valid documents mean: fields, ceilings, tool lists and rules. A default that
 * is written out, the order of a tool list, comments and formatting are not differences. Pure; a document
 * compared with itself has none.
 */
export function diffPolicies(before: JsonObject, after: JsonObject): readonly PolicyChange[] {
  const [old, next] = [comparableDocument(before), comparableDocument(after)];
  return [
    ...compare(old.fields, next.fields, ""),
    ...compareGlobs("/tools/allowed", old.allowed, next.allowed),
    ...compareGlobs("/tools/denied", old.denied, next.denied),
    ...compareGlobs("/tools/read_only", old.readOnly, next.readOnly),
    ...compareRules(old.rules, next.rules),
    ...movedRules(old.rules, next.rules).map(
      ({ id, before: from, after: to }): PolicyChange => ({
        kind: "moved",
        section: "rule",
        path: rulePath(id),
        before: from,
        after: to,
      }),
    ),
  ];
}

function compareGlobs(path: string, before: ReadonlySet<string>, after: ReadonlySet<string>): PolicyChange[] {
  const removed = [...before].filter((glob) => !after.has(glob));
  const added = [...after].filter((glob) => !before.has(glob));
  return [
    ...removed.map((glob) => changeAt(path, { before: glob, after: undefined })),
    ...added.map((glob) => changeAt(path, { before: undefined, after: glob })),
  ];
}

type Rules = ReadonlyMap<string, JsonObject>;

function compareRules(before: Rules, after: Rules): PolicyChange[] {
  const changes: PolicyChange[] = [];
  for (const [id, rule] of before) {
    const next = after.get(id);
    if (next === undefined) changes.push(changeAt(rulePath(id), { before: rule, after: undefined }));
    else changes.push(...compare(rule, next, rulePath(id)));
  }
  for (const [id, rule] of after) {
    if (!before.has(id)) changes.push(changeAt(rulePath(id), { before: undefined, after: rule }));
  }
  return changes;
}

/** Goes down into objects and into lists of equal length: each change names the smallest part. */
function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
): readonly PolicyChange[] {
  if (isMembers(before) && isMembers(after)) {
    const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
    return [...names].flatMap((name) => compare(before?.[name], after?.[name], `${path}/${step(name)}`));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    const [old, next] = [before as readonly JsonValue[], after as readonly JsonValue[]];
    return old.flatMap((item, at) => compare(item, next[at], `${path}/${String(at)}`));
  }
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after))
    return [];
  return [changeAt(path, { before, after })];
}

/** An object that is absent has no members. */
function isMembers(value: JsonValue | undefined): value is JsonObject | undefined {
  return value === undefined || isJsonObject(value);
}

interface Sides {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

function changeAt(path: string, { before, after }: Sides): PolicyChange {
  const section = sectionOf(path);
  return { kind: kindOf({ before, after }), section, path, before: before ?? null, after: after ?? null };
}

function kindOf({ before, after }: Sides): PolicyChange["kind"] {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

const SECTIONS: ReadonlyMap<string, ChangeSection> = new Map([
  ["rules", "rule"],
  ["tools", "tools"],
  ["session", "ceiling"],
  ["cost", "ceiling"],
  ["governance_mode", "mode"],
]);

function sectionOf(path: string): ChangeSection {
  if (path.startsWith("/cost/tool_prices/")) return "price";
  return SECTIONS.get(path.split("/")[1] ?? "") ?? "field";
}

function rulePath(id: string): string {
  return `/rules/${step(id)}`;
}

function step(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
