import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { parseAllDocuments } from "yaml";
import { OWN_DETECTORS } from "./compiled.suite.ts";

const ROOT = new URL("../../../../", import.meta.url);
const FOLDERS = ["packages/engine/testdata", "policies", "docs", "e2e/testdata"];

/** Every policy in the data files and documents of the repository, valid or not, as a value. */
export function policyCorpus(): readonly JsonObject[] {
  const texts = FOLDERS.flatMap((folder) => textsIn(new URL(`${folder}/`, ROOT)));
  return texts.flatMap((text) => parsed(text).flatMap(policiesIn));
}

function textsIn(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .flatMap((name) => {
      if (/\.ya?ml$/.test(name)) return [readFileSync(new URL(name, folder), "utf8")];
      if (!name.endsWith(".md")) return [];
      const page = readFileSync(new URL(name, folder), "utf8");
      return [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = ""]) => block);
    });
}

/** Texts that are not one plain document of YAML hold no policy for a schema. */
function parsed(text: string): readonly JsonValue[] {
  const [first, second] = parseAllDocuments(text, { logLevel: "silent", merge: false });
  if (first === undefined || second !== undefined || first.errors.length > 0) return [];
  try {
    return [JSON.parse(JSON.stringify(first.toJS() ?? null)) as JsonValue];
  } catch {
    return [];
  }
}

/** The value itself, its rules, the operators it lists, and what its texts hold. */
function policiesIn(value: JsonValue): readonly JsonObject[] {
  if (typeof value === "string")
    return /^\s*(?:#.*\s)*id: /.test(value) ? parsed(value).flatMap(policiesIn) : [];
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(policiesIn);
  if (Array.isArray(value)) return below;
  const { id, match, action, operator, rules } = value as JsonObject;
  if (id !== undefined && match === undefined) return [value as JsonObject, ...below];
  if (match !== undefined || action !== undefined)
    return [
      { id: "p", rules: [{ id: "r", ...(value as JsonObject), match: match ?? { tool: "x" } }] },
      ...below,
    ];
  if (typeof operator === "string")
    return [{ id: "p", detectors: OWN_DETECTORS, rules: [ruleAsking(value as JsonObject)] }, ...below];
  if (Array.isArray(rules)) return below;
  return below;
}

const NOT_ASKED: readonly string[] = ["holds", "fails", "unsure", "why"];

function ruleAsking(row: JsonObject): JsonObject {
  const asked = Object.fromEntries(Object.entries(row).filter(([key]) => !NOT_ASKED.includes(key)));
  return { id: "r", match: { condition: { field: "args.x", ...asked } }, action: "deny" };
}
