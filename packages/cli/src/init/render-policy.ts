import type { GovernanceMode } from "@svc/contract/verdict";
import { stringify } from "yaml";
import { formatPolicy } from "../fmt/format-policy.ts";
import { namesOf, type StartingTool, type ToolEffect } from "./starting-tool.ts";

export interface StartingPolicy {
  readonly agent: string;
  readonly mode: GovernanceMode;
  readonly tools: readonly StartingTool[];
  /** Whether an MCP server said what its tools do. */
  readonly fromServer: boolean;
}

/** Most globs that one rule may have: more tools need another rule. */
const MAX_GLOBS = 64;

/** Calls of one session: far more than a task takes, and far less than a loop makes. */
export const MAX_STEPS = 200;

/** The rule that finds secrets in arguments. */
export const SECRETS_RULE = "no-secrets";

type AskingEffect = Exclude<ToolEffect, "reads">;

const ASKING_EFFECTS: readonly AskingEffect[] = ["destroys", "changes", "unmarked"];

const ASKING_RULES: Readonly<Record<AskingEffect, { readonly id: string; readonly because: string }>> = {
  destroys: {
    id: "ask-before-destructive",
    because: "The server says that these change or delete, or does not rule it out.",
  },
  changes: { id: "ask-before-change", because: "The server says that these change, and destroy nothing." },
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

function sourceOf({ agent, mode, tools, fromServer }: StartingPolicy): string {
  const reading = namesOf(tools, "reads");
  const asking = tools.filter(({ effect }) => effect !== "reads").map(({ name }) => name);
  const source = fromServer ? "The MCP server or you say" : "You say";
  return [
    "# Made by svc-cli init. It is a start: read it, and change what your agent needs otherwise.",
    "# A call that nothing allows here is denied.",
    `id: ${scalar(agent)}`,
    `agent_id: ${scalar(agent)}`,
    `governance_mode: ${mode}`,
    "fail_closed: true",
    "session:",
    "  # A session is one conversation or task of the agent. Every call names it: session_id at the gateway,",
    "  # the header X-Svc-Session-Id at an adapter. A call that names none is denied because of this limit.",
    "  # For MCP clients that name none, set SVC_MCP_SESSION_FALLBACK=client at svc-mcp-proxy, as svc-cli",
    "  # dev does. An agent that runs in circles ends after this many calls.",
    `  max_steps: ${String(MAX_STEPS)}`,
    "tools:",
    "  allowed:",
    ...list(`${source} that these only read. They run without a person. Nothing proves it.`, reading),
    ...list("A person is asked before these run: see the rules.", asking),
    ...(reading.length === 0
      ? []
      : ["  # An agent in quarantine may still call these.", "  read_only:", ...list(null, reading)]),
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
    ...rulesOf(tools).flatMap(({ id, because, names }) => [
      `  # ${because}`,
      `  - id: ${id}`,
      "    priority: 20",
      "    match:",
      "      tool:",
      ...list(null, names).map((line) => `    ${line}`),
      "    action: require_approval",
    ]),
    "",
  ].join("\n");
}

interface AskingRule {
  readonly id: string;
  readonly because: string;
  readonly names: readonly string[];
}

function rulesOf(tools: readonly StartingTool[]): readonly AskingRule[] {
  return ASKING_EFFECTS.flatMap((effect) => {
    const names = namesOf(tools, effect);
    const { id, because } = ASKING_RULES[effect];
    const parts = Math.ceil(names.length / MAX_GLOBS);
    return Array.from({ length: parts }, (_, at) => ({
      id: at === 0 ? id : `${id}-${String(at + 1)}`,
      because,
      names: names.slice(at * MAX_GLOBS, (at + 1) * MAX_GLOBS),
    }));
  });
}

function list(comment: string | null, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [...(comment === null ? [] : [`    # ${comment}`]), ...names.map((name) => `    - ${scalar(name)}`)];
}

/** A name such as `123` or `a:` is a text only in quotes. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trim();
}
