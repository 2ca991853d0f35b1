import { existsSync } from "node:fs";
import { resolve } from "node:path/posix";
import type { Counterfactual } from "@svc/contract/decision-explanation";
import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { Explanation, SimulatedVerdict } from "@svc/contract/policy-explanation";
import { type CallToSimulate, parseSimulation } from "@svc/contract/policy-simulation";
import type { GovernedCall } from "@svc/engine/evaluation";
import { askModules, traceModules } from "@svc/policy-analysis/ask-modules";
import { findCounterfactual } from "@svc/policy-analysis/counterfactual";
import { renderTrace } from "@svc/policy-analysis/render-trace";
import { simulateCall } from "@svc/policy-analysis/simulate-call";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { parseStrictJson } from "@svc/text/strict-json";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { parseJsonInput } from "../frame/parse-options.ts";
import { readInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Emphasis, Piece } from "../frame/text.ts";
import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { warnOfSlowModule } from "../policy-files/local-modules.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";

/** The agent and session of calls that name none. */
const ANY = { agentId: "test-agent", sessionId: "test-session" };

/** Reasons name the session and the agent of the call, and here it has none of its own. */
function withoutNames(verdict: SimulatedVerdict): SimulatedVerdict {
  const unnamed = (reason: string): string =>
    reason
      .replaceAll(`in session ${ANY.sessionId}`, "in the session that asks")
      .replaceAll(`of agent ${ANY.agentId}`, "of the agent that asks");
  const { reason, would_be: wouldBe } = verdict;
  return {
    ...verdict,
    reason: reason === null ? null : unnamed(reason),
    would_be: wouldBe === null ? null : { ...wouldBe, reason: unnamed(wouldBe.reason) },
  };
}

const NO_SWITCHES = { checked: [], matched: null } as const;

/** Explains how a policy decides a call. @throws CommandFailure */
export async function explainCall(
  { policy: path, ...given }: GivenCall & { readonly policy: string },
  options: OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { explaining, moduleTimes } = await compilePolicyFile(await readPolicyFile(path, terminal));
  const { policy } = explaining;
  const agentId = policy.agentId ?? ANY.agentId;
  const call = governedCall(await readCall(given, { ...ANY, agentId }, terminal));
  const said = await askModules(policy, call);
  const trace = await traceModules(policy, call, said);
  const simulation = simulateCall(explaining, { call, killSwitches: NO_SWITCHES, said, trace });
  const { explanation, evaluation } = simulation;
  const verdict = withoutNames(simulation.verdict);
  const search = findCounterfactual({
    explaining,
    call,
    decision: evaluation.decision,
    explanation,
    ruleId: evaluation.ruleId,
    masks: { isMasked: () => false, wholly: false },
  });
  // A ceiling decided: what the arguments could change is not what decided.
  const counterfactual =
    search.kind === "found" && explanation.decided_by !== "ceiling" ? search.change : null;
  const output = new Output(terminal, options);
  warnOfSlowModule(moduleTimes, output);
  output.result({
    text: renderExplanation({ tool: call.tool, policyId: policy.id, verdict, explanation, counterfactual }),
    schema: "svc.cli.explain/v1",
    json: { policy_id: policy.id, verdict, explanation, counterfactual },
  });
  return "ok";
}

function governedCall({ request, usage, timeMs }: CallToSimulate): GovernedCall {
  const { agent_id, session_id, tool, args, namespace, cost_micro_usd } = request;
  return {
    agentId: agent_id,
    sessionId: session_id,
    namespace: namespace ?? DEFAULT_NAMESPACE,
    tool,
    args,
    timeMs: timeMs ?? Date.now(),
    costMicroUsd: cost_micro_usd,
    // As for the key of an agent, whose costs are never below the prices of the policy.
    costIsTrusted: false,
    context: { usage },
  };
}

/** A call as the command line has it. */
interface GivenCall {
  /** A file, `-`, JSON, or the name of a tool. */
  readonly action: string;
  /** Arguments of the tool: `name=value`. */
  readonly values: readonly string[];
}

/** What a call has when it names none of its own. */
interface CallDefaults {
  readonly agentId: string;
  readonly sessionId: string;
}

/** Reads one call: a file, stdin, or JSON on the command line. @throws CommandFailure `usage` */
async function readCall(
  { action, values }: GivenCall,
  { agentId, sessionId }: CallDefaults,
  terminal: Terminal,
): Promise<CallToSimulate> {
  const isInline = action.trimStart().startsWith("{");
  const isTool = values.length > 0 || !(isInline || isFile(action, terminal));
  const name = isInline || isTool ? "the call" : action;
  const value = isTool
    ? { tool: action, args: argumentsOf(values) }
    : parseJsonInput(name, isInline ? action : await readText(action, terminal));
  if (!isJsonObject(value)) throw new CommandFailure("usage", `${name}: expected one call as a JSON object`);
  const call: JsonObject = { agent_id: agentId, session_id: sessionId, ...value };
  // Null: the call names no session.
  const { session_id: session, ...rest } = call;
  const parsed = parseSimulation({ document: "given", calls: [session === null ? rest : call] });
  if (parsed.ok && parsed.value.calls[0] !== undefined) return parsed.value.calls[0];
  const faults = parsed.ok ? [] : parsed.errors;
  throw new CommandFailure(
    "usage",
    faults
      .map(({ pointer, expected, found, fix }) => {
        const member = pointer.replace(/^\/calls\/0\/?/, "").replaceAll("/", ".");
        const hint = fix === undefined ? "" : `; ${fix}`;
        return `${name}: ${member || "the call"}: expected ${expected}, found ${found}${hint}`;
      })
      .join("\n"),
  );
}

/** What looks like a file is one, so that a wrong path is not taken for a tool. */
function isFile(action: string, { workingDirectory }: Pick<Terminal, "workingDirectory">): boolean {
  return action === "-" || /[/\\]|\.json$/.test(action) || existsSync(resolve(workingDirectory, action));
}

function argumentsOf(values: readonly string[]): JsonObject {
  const args: Record<string, JsonValue> = {};
  for (const text of values) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new CommandFailure("usage", `expected name=value, such as amount=600; found "${text}"`);
    if (Object.hasOwn(args, name))
      throw new CommandFailure("usage", `${name}: expected one value, found two`);
    args[name] = valueOf(value);
  }
  return args;
}

/** JSON where it is some, else the text itself: an IBAN needs no quotes. */
function valueOf(text: string): JsonValue {
  const parsed = parseStrictJson(Buffer.from(text, "utf8"), MAX_BODY_BYTES);
  return parsed.ok ? parsed.value : text;
}

async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    return await readInput(file, terminal);
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected a call in JSON: ${readFault(error)}`, error);
  }
}

interface ExplainedCall {
  readonly tool: string;
  readonly policyId: string;
  readonly verdict: SimulatedVerdict;
  readonly explanation: Explanation;
  readonly counterfactual: Counterfactual | null;
}

const EMPHASES = { allow: "good", deny: "bad", pause: "warning" } as const satisfies Record<
  SimulatedVerdict["decision"],
  Emphasis
>;

/** The decision, the steps to it, and the smallest change that leads to another one. */
function renderExplanation(explained: ExplainedCall): readonly Piece[] {
  const { tool, policyId, verdict, explanation, counterfactual } = explained;
  const { decision, reason, rule_id: rule, would_be: wouldBe, shaped_args: shaped } = verdict;
  const by = rule === null ? "" : ` by the rule ${rule}`;
  return [
    { text: decision, as: EMPHASES[decision] },
    `${by}: ${tool} under the policy ${policyId}\n`,
    ...(reason === null ? [] : [`  reason: ${reason}\n`]),
    ...(shaped === null ? [] : [`  the tool gets: ${JSON.stringify(shaped)}\n`]),
    ...(wouldBe === null ? [] : [`  enforcement would answer ${wouldBe.decision}: ${wouldBe.reason}\n`]),
    "\n",
    ...renderTrace(explanation).map((line) => `  ${line}\n`),
    ...(counterfactual === null ? [] : ["\n", ...changeLines(counterfactual)]),
  ];
}

/** The smallest change that leads to another decision. */
export function changeLines(change: Counterfactual): readonly Piece[] {
  const decision: Piece = { text: change.decision, as: EMPHASES[change.decision] };
  const after = " after this change";
  if (change.kind === "list_entry")
    return [
      "The policy says ",
      decision,
      `${after}: ${change.change} ${change.entry} ${PREPOSITIONS[change.change]} ${change.list}\n`,
    ];
  const tried = change.tried === undefined ? "" : `, such as ${JSON.stringify(change.tried)}`;
  return ["The policy says ", decision, `${after}: ${change.requirement}${tried} (rule ${change.rule_id})\n`];
}

const PREPOSITIONS = { add: "to", remove: "from" } as const;
