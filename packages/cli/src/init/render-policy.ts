import { globOfName } from "@svc/contract/glob-pattern";
import { asIdentifier, isIdentifier } from "@svc/contract/identifier";
import type { GovernanceMode } from "@svc/contract/verdict";
import { stringify } from "yaml";
import { formatPolicy } from "../fmt/format-policy.ts";
import type { Starter } from "./starters/starter.ts";
import { namesOf, type StartingTool, type ToolEffect } from "./starting-tool.ts";

export interface StartingPolicy {
  readonly agent: string;
  readonly mode: GovernanceMode;
  readonly tools: readonly StartingTool[];
  /** Whether an MCP server said what its tools do. */
  readonly fromServer: boolean;
  /** The starter policy that says it; null: none. */
  readonly starter: Starter | null;
}

/** Most globs that one rule may have: more tools need another rule. */
const MAX_GLOBS = 64;

/** Calls of one session: far more than a task takes, and far less than a loop makes. */
export const MAX_STEPS = 200;

/** The rule that finds secrets in arguments. */
export const SECRETS_RULE = "no-secrets";

/** The list of the tools that run without a person. */
const READING = "reading";

type AskingEffect = Exclude<ToolEffect, "reads" | "denied">;

const ASKING_EFFECTS: readonly AskingEffect[] = ["destroys", "changes", "unmarked"];

const ASKING_RULES: Readonly<Record<AskingEffect, { readonly id: string; readonly because: string }>> = {
  destroys: {
    id: "ask-before-destructive",
    because: "These change or delete what is there, or nothing rules it out.",
  },
  changes: {
    id: "ask-before-change",
    because: "These add something, or change it without destroying anything.",
  },
  unmarked: { id: "ask-before-unmarked", because: "Nobody said what these do." },
};

/** Which rule asks a person before a tool runs; null: the tool runs. */
export function askingRules(tools: readonly StartingTool[]): ReadonlyMap<string, string> {
  return new Map(rulesOf(tools).flatMap(({ id, names }) => names.map((name) => [name, id] as const)));
}

/** A policy that denies what it does not list, in the form that `svc-cli fmt` leaves as it is. */
export function renderPolicy(file: string, start: StartingPolicy): string {
  return formatPolicy({ name: file, source: sourceOf(start), mediaType: "application/yaml" });
}

function sourceOf({ agent, mode, tools, fromServer, starter }: StartingPolicy): string {
  const reading = namesOf(tools, "reads");
  const isAsking = ({ effect }: StartingTool): boolean => effect !== "reads" && effect !== "denied";
  const asking = tools.filter(isAsking).map(({ name }) => name);
  const denied = namesOf(tools, "denied");
  const own = fromServer ? "The MCP server or you say" : "You say";
  const source = starter === null ? own : "The starter policy says";
  return [
    "# Made by svc-cli init. It is a start: read it, and change what your agent needs otherwise.",
    "# A call that nothing allows here is denied.",
    ...packageLines(starter),
    `id: ${scalar(policyIdOf(agent))}`,
    `agent_id: ${scalar(agent)}`,
    `governance_mode: ${mode}`,
    "fail_closed: true",
    "session:",
    "  # A session is one conversation or task of the agent. Every call names it: session_id at the gateway,",
    "  # the header X-Svc-Session-Id at an adapter. A call that names none is denied because of this limit.",
    "  # For MCP clients that name none, set SVC_MCP_SESSION_FALLBACK=client at svc-mcp-proxy, as svc-cli",
    "  # dev does. An agent that runs in circles ends after this many calls.",
    `  max_steps: ${String(MAX_STEPS)}`,
    ...readingLines(reading, source),
    "tools:",
    "  allowed:",
    ...(reading.length === 0 ? [] : ["    # These run without a person.", `    - {list: ${READING}}`]),
    ...list("A person is asked before these run: see the rules.", asking),
    ...(denied.length === 0 ? [] : ["  # No rule can allow these.", "  denied:", ...list(null, denied)]),
    ...(reading.length === 0
      ? []
      : ["  # An agent in quarantine may still call these.", `  read_only: {list: ${READING}}`]),
    "rules:",
    "  # The detectors are heuristics: they find keys in their usual form.",
    `  - id: ${SECRETS_RULE}`,
    "    priority: 10",
    "    match:",
    "      condition:",
    "        field: args",
    "        operator: detects",
    "        value: [secret.aws_key, secret.github_token, secret.private_key]",
    "    action: deny",
    ...rulesOf(tools).flatMap(({ id, because, names, covers }) => [
      `  # ${because}`,
      `  - id: ${id}`,
      "    priority: 20",
      "    match:",
      "      tool:",
      ...list(null, names).map((line) => `    ${line}`),
      "    action: require_approval",
      ...(covers === null ? [] : coveringLines(covers)),
    ]),
    "",
  ].join("\n");
}

function packageLines(starter: Starter | null): readonly string[] {
  if (starter === null) return [];
  const archived = "# The package is archived: nobody maintains it, and faults of its security stay.";
  return [
    `# Written from the tools of ${starter.package} ${starter.version} (${starter.registry}).`,
    ...(starter.isArchived === true ? [archived] : []),
  ];
}

/** The tools that only read, which are named in two places. */
function readingLines(names: readonly string[], source: string): readonly string[] {
  if (names.length === 0) return [];
  const claim = `  # ${source} that these only read. Nothing proves it.`;
  return ["lists:", claim, `  ${READING}:`, ...list(null, names)];
}

interface AskingRule {
  readonly id: string;
  readonly because: string;
  readonly names: readonly string[];
  /** Null: an approval holds for one call. */
  readonly covers: readonly string[] | null;
}

function rulesOf(tools: readonly StartingTool[]): readonly AskingRule[] {
  const single = tools.filter(({ covers }) => covers === undefined);
  return [
    ...ASKING_EFFECTS.flatMap((effect) => {
      const names = namesOf(single, effect);
      const { id, because } = ASKING_RULES[effect];
      const parts = Math.ceil(names.length / MAX_GLOBS);
      return Array.from({ length: parts }, (_, at) => ({
        id: at === 0 ? id : `${id}-${String(at + 1)}`,
        because,
        names: names.slice(at * MAX_GLOBS, (at + 1) * MAX_GLOBS),
        covers: null,
      }));
    }),
    ...tools.flatMap(({ name, covers }) =>
      covers === undefined ? [] : [{ id: `ask-${name}`, because: COVERS, names: [name], covers }],
    ),
  ];
}

const COVERS =
  "An approval also holds for later calls of the session with the same values of these arguments.";

function coveringLines(covers: readonly string[]): readonly string[] {
  return ["    approval:", "      covers:", ...covers.map((path) => `        - ${scalar(path)}`)];
}

function list(comment: string | null, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [
    ...(comment === null ? [] : [`    # ${comment}`]),
    ...names.map((name) => `    - ${scalar(globOfName(name))}`),
  ];
}

/** The id of the policy of an agent, from a name of any script. */
export function policyIdOf(agent: string): string {
  return isIdentifier(agent) ? agent : (asIdentifier(agent) ?? "agent");
}

/** A name such as `123` or `a:` is a text only in quotes. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trim();
}

/** A `svc.yaml` with the server of this machine: an address alone would leave out the key of its context. */
export const SETTINGS_TEXT = `# The servers of this folder, for svc-cli --env. Made by svc-cli init.
# Keys never stand here. A context names the file of a key:
# svc-cli context add prod --url https://svc.example --api-key-file prod.key
environments:
  local: { context: dev } # while svc-cli dev runs here
  # prod: { context: prod }
`;
