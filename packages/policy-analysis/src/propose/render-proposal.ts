import { globOfName } from "@svc/contract/glob-pattern";
import { asIdentifier, isIdentifier } from "@svc/contract/identifier";
import { matchesGlob } from "@svc/engine/glob";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import type { SeenTool, SurveyScope } from "./seen-tool.ts";

/** What a proposal is made of. */
export interface ProposalParts {
  readonly scope: SurveyScope;
  /** The present policy as it was written; empty when there is none. */
  readonly written: JsonObject;
  /** Tools that ran, by name. */
  readonly tools: readonly (readonly [name: string, seen: SeenTool])[];
  readonly dropped: ReadonlySet<string>;
  readonly dropsCeilings: boolean;
}

/** Members that the proposal writes itself. */
const OWN = new Set(["id", "agent_id", "governance_mode", "fail_closed", "tools", "rules", "session"]);

/** The document as YAML. Every text in it, in comments too, stands in quotes of JSON with ASCII alone. */
export function renderProposal(parts: ProposalParts): string {
  const { scope, written, tools, dropped, dropsCeilings } = parts;
  const others = Object.entries(written).filter(([name]) => !OWN.has(name));
  const agentId = typeof written["agent_id"] === "string" ? written["agent_id"] : scope.agentId;
  const session = dropsCeilings ? undefined : written["session"];
  return [
    `# Allows what ran for ${subjectOf(scope)} from ${scope.since} to ${scope.until}, and nothing else.`,
    `id: ${text(written["id"] ?? idOf(scope))}`,
    ...(agentId === null ? [] : [`agent_id: ${text(agentId)}`]),
    "governance_mode: enforcement",
    "fail_closed: true",
    ...others.map(([name, value]) => `${name}: ${text(value)}`),
    ...toolLines(tools, written),
    ...(dropsCeilings ? ["# The session ceilings are left out: sessions that ran exceed them."] : []),
    ...(session === undefined ? [] : [`session: ${text(session)}`]),
    ...ruleLines(written, dropped),
    "",
  ].join("\n");
}

function subjectOf({ agentId, namespace }: SurveyScope): string {
  return agentId === null ? `namespace ${text(namespace)}` : `agent ${text(agentId)}`;
}

/** An identifier of at most 128 bytes, from a name of any script. */
function idOf({ agentId, namespace }: SurveyScope): string {
  const name = (agentId ?? namespace ?? "agent").slice(0, 100);
  return `${isIdentifier(name) ? name : (asIdentifier(name) ?? "agent")}-least-privilege`;
}

function toolLines(tools: ProposalParts["tools"], written: JsonObject): readonly string[] {
  const entries = tools.flatMap(([name, { calls, lastUse, needsEntry, seen }]) => [
    `    # ${String(calls)} calls, the last at ${lastUse}`,
    ...seen.describe().map((line) => `    # seen: ${ascii(line)}`),
    needsEntry ? `    - ${text(globOfName(name))}` : `    # ${text(name)} is allowed by a rule`,
  ]);
  const denied = listOf(written, "denied").filter((glob) => !tools.some(([name]) => matchesGlob(glob, name)));
  const readOnly = listOf(written, "read_only");
  const isEmpty = !tools.some(([, { needsEntry }]) => needsEntry);
  return [
    "tools:",
    ...(isEmpty ? ["  allowed: []", ...entries] : ["  allowed:", ...entries]),
    ...(denied.length === 0 ? [] : ["  denied:", ...denied.map((glob) => `    - ${text(glob)}`)]),
    ...(readOnly.length === 0 ? [] : ["  read_only:", ...readOnly.map((glob) => `    - ${text(glob)}`)]),
  ];
}

function listOf({ tools }: JsonObject, name: string): readonly string[] {
  const list = isJsonObject(tools) ? tools[name] : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]).filter((glob) => typeof glob === "string") : [];
}

function ruleLines({ rules }: JsonObject, dropped: ReadonlySet<string>): readonly string[] {
  if (!Array.isArray(rules) || rules.length === 0) return [];
  const idOfRule = (rule: JsonValue): string => {
    const id = isJsonObject(rule) ? rule["id"] : null;
    return typeof id === "string" ? id : "";
  };
  const lines = (rules as readonly JsonValue[]).map((rule) =>
    dropped.has(idOfRule(rule))
      ? `  # The rule ${text(idOfRule(rule))} is left out: it stops calls that ran.`
      : `  - ${text(rule)}`,
  );
  const isEmpty = (rules as readonly JsonValue[]).every((rule) => dropped.has(idOfRule(rule)));
  return [isEmpty ? "rules: []" : "rules:", ...lines];
}

function text(value: JsonValue | undefined): string {
  return ascii(JSON.stringify(value ?? null));
}

/** A text of JSON with every other character escaped: none of them can end a comment or a line. */
function ascii(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
