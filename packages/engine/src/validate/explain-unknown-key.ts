import { didYouMean, nearestName } from "@svc/text/nearest-name";
import { describeNode, type MapEntry, type MapNode, type SourceNode } from "../read/source-node.ts";
import { keysOf, type PlaceName } from "./places.ts";
import { properPlace } from "./proper-place.ts";

/**
 * What to write instead of a key that is unknown at its place. Never just "remove it" for a key that
 * restricts: an author who follows that loses the restriction.
 */
export function fixUnknownKey({ key, value }: MapEntry, place: PlaceName, present: MapNode): string {
  const lower = key.toLowerCase();
  const later = reservedKey(key, place);
  if (later !== null) return later;
  const special = SPECIAL[place]?.get(lower);
  if (special !== undefined) return typeof special === "string" ? special : special(value);
  const meant = SYNONYMS[place]?.get(lower);
  if (meant !== undefined && !present.entries.some((entry) => entry.key === meant))
    return `did you mean ${meant}?`;
  const elsewhere = properPlace(key, place);
  if (elsewhere !== null) return `move it ${elsewhere.written}, as in ${example(key, value, elsewhere.path)}`;
  const near = didYouMean(key, keysOf(place));
  if (near !== null) return near;
  if (NOTES.has(lower)) return "write it as a comment that begins with #, or remove it: it decides nothing";
  return "policies have no such key: write what it should do with the expected keys, then remove it";
}

/** What to write in place of a key whose name is kept for what is not supported yet; null: it is not kept. */
export function reservedKey(key: string, place: PlaceName): string | null {
  return RESERVED[place]?.get(key) ?? null;
}

const BY_WORKFLOW = "remove it, and name a workflow";

const RESERVED: { readonly [place in PlaceName]?: ReadonlyMap<string, string> } = {
  approval: new Map([
    ["by", `${BY_WORKFLOW}: its approvers say who may approve`],
    ["count", `${BY_WORKFLOW}: its required says how many keys must approve`],
    ["not", "remove it: the key that asked never approves its own call"],
    ["expires_in", `${BY_WORKFLOW}: its expires_in_seconds says until when people can approve`],
  ]),
};

/** Keys whose meaning people know under another name. */
const SYNONYMS: { readonly [place in PlaceName]?: ReadonlyMap<string, string> } = {
  policy: new Map([
    ["mode", "governance_mode"],
    ["enforcement", "governance_mode"],
    ["enforcement_mode", "governance_mode"],
    ["agent", "agent_id"],
    ["title", "name"],
    ["description", "name"],
  ]),
  session: new Map([
    ["steps", "max_steps"],
    ["max_calls", "max_steps"],
    ["limit", "max_steps"],
  ]),
  cost: new Map([
    ["max_usd", "max_usd_per_session"],
    ["max_cost", "max_usd_per_session"],
    ["budget", "max_usd_per_session"],
    ["prices", "tool_prices"],
  ]),
  tools: new Map([
    ["allow", "allowed"],
    ["allowlist", "allowed"],
    ["whitelist", "allowed"],
    ["permit", "allowed"],
    ["deny", "denied"],
    ["denylist", "denied"],
    ["blacklist", "denied"],
    ["block", "denied"],
    ["blocked", "denied"],
    ["forbidden", "denied"],
    ["readonly", "read_only"],
    ["read", "read_only"],
    ["safe", "read_only"],
  ]),
  rule: new Map([
    ["effect", "action"],
    ["then", "action"],
    ["do", "action"],
    ["decision", "action"],
    ["name", "id"],
    ["rule", "id"],
    ["rule_id", "id"],
    ["order", "priority"],
    ["reason", "message"],
    ["justification", "message"],
    ["deny_message", "message"],
    ["denymessage", "message"],
  ]),
  detector: new Map([
    ["match", "matches"],
    ["pattern", "matches"],
    ["patterns", "matches"],
    ["regex", "matches"],
    ["regexp", "matches"],
  ]),
  match: new Map([
    ["conditions", "all"],
    ["and", "all"],
    ["or", "any"],
    ["tool_name", "tool"],
  ]),
  condition: new Map([
    ["op", "operator"],
    ["path", "field"],
    ["arg", "field"],
    ["argument", "field"],
    ["key", "field"],
    ["values", "value"],
    ["val", "value"],
    ["case_insensitive", "ignore_case"],
    ["if_missing", "when_missing"],
    ["missing", "when_missing"],
    ["none", "not"],
    ["all", "every"],
  ]),
};

type Special = string | ((value: SourceNode) => string);

const SPECIAL: { readonly [place in PlaceName]?: ReadonlyMap<string, Special> } = {
  policy: new Map<string, Special>([
    ["version", "remove it: the service numbers the versions of a policy itself"],
    ["guardrails", "remove it: guardrails are stored beside policies, which name them as guardrail.<id>"],
    ["tool", misplacedTool],
    ["allow", "write tools: {allowed: [...]}"],
    ["deny", "write tools: {denied: [...]}"],
  ]),
  rule: new Map<string, Special>([
    ["when", renamedMatch],
    ["if", renamedMatch],
    ["where", renamedMatch],
    ["conditions", "write match: {all: [...]} with these conditions"],
  ]),
  match: new Map<string, Special>([
    ["tools", toolsAsTool],
    ["none", "write not: {any: [...]}"],
  ]),
};

/** Keys that say something to people alone. */
const NOTES: ReadonlySet<string> = new Set([
  "author",
  "comment",
  "description",
  "message",
  "name",
  "owner",
  "reason",
  "title",
]);

/** `when: {field: ...}` is a condition, `when: {tool: ...}` a match. */
function renamedMatch(value: SourceNode): string {
  const keys = value.kind === "map" ? value.entries.map(({ key }) => key) : [];
  if (keys.includes("field")) return "write match: {condition: {field: ..., operator: ..., value: ...}}";
  if (value.kind === "list") return "write match: {all: [...]} with these conditions";
  return "did you mean match?";
}

/** `tool` at the top of the document: a mapping holds the lists of tools, a text is the glob of a rule. */
function misplacedTool(value: SourceNode): string {
  if (value.kind === "map") return "did you mean tools?";
  return `move it into match of a rule, as in ${example("tool", value, [])}`;
}

function toolsAsTool(value: SourceNode): string {
  const globs = value.kind === "list" ? value.items.map(textOf) : [textOf(value)];
  return `write tool: ${globs.length === 1 ? (globs[0] ?? "...") : `[${globs.join(", ")}]`}`;
}

function textOf(node: SourceNode): string {
  return node.kind === "scalar" && typeof node.value === "string" ? node.value : describeNode(node);
}

/** How the key looks at its place. */
function example(key: string, value: SourceNode, path: readonly string[]): string {
  const written = value.kind === "scalar" && value.text !== "" ? value.text : "...";
  const shown = { scalar: written, list: "[...]", map: "{...}" }[value.kind];
  return path.reduceRight((inner, name) => `${name}: {${inner}}`, `${key}: ${shown}`);
}

/** The known key that an unknown one was surely meant to be; null when nobody can tell. */
export function meantKey(key: string, place: PlaceName): string | null {
  const lower = key.toLowerCase();
  const synonym = SYNONYMS[place]?.get(lower);
  if (synonym !== undefined) return synonym;
  if (place === "rule" && SPECIAL.rule?.has(lower) === true) return "match";
  return properPlace(key, place)?.path[0] ?? nearestName(key, keysOf(place));
}
