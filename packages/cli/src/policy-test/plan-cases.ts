import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import { maskSecrets } from "@svc/engine/mask-secrets";
import { canonicalJson } from "@svc/text/canonical-json";
import { parseUsd } from "@svc/text/usd";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Expected, MockAction, MockFile } from "./read-mock-file.ts";
import type { Expectation, TestCase } from "./test-case.ts";

interface PlanContext {
  /** The agent that the policy names; null when it names none. */
  readonly agentId: string | null;
  /** Where the virtual clock begins: epoch milliseconds. */
  readonly nowMs: number;
}

/** The agent of cases that name none, for a policy that names none either. */
const ANY_AGENT = "test-agent";

/**
 * Makes cases of actions. An action without `session_id` has a session of its own. The clock of a session
 * stands still between two actions that name a `time`.
 * @throws CommandFailure `usage`
 */
export function planCases({ file, actions }: MockFile, { agentId, nowMs }: PlanContext): readonly TestCase[] {
  const clocks = new Map<string, number>();
  const timed = new Set<string>();
  return actions.map((mock, index): TestCase => {
    const { action, line, column } = mock;
    const agent = action.agent_id ?? agentId ?? ANY_AGENT;
    const sessionId = action.session_id === undefined ? `case-${String(index + 1)}` : action.session_id;
    const place = `${file}:${String(line)}:${String(column)}`;
    const key = JSON.stringify([agent, sessionId ?? index]);
    const before = clocks.get(key);
    const timeMs = action.time === undefined ? (before ?? nowMs) : Date.parse(action.time);
    if (before !== undefined && timeMs < before)
      throw new CommandFailure(
        "usage",
        `${place}: time: expected at least ${new Date(before).toISOString()}, the time of the session`,
      );
    clocks.set(key, timeMs);
    if (action.time !== undefined) timed.add(key);
    return {
      line,
      column,
      name: action.name ?? describe(mock),
      agentId: agent,
      sessionId,
      namespace: action.namespace ?? DEFAULT_NAMESPACE,
      tool: action.tool,
      args: action.args ?? {},
      costMicroUsd: action.cost_usd === undefined ? null : parseUsd(action.cost_usd),
      timeMs,
      isTimed: timed.has(key),
      repeat: action.repeat ?? 1,
      expected: action.expect === undefined ? null : expectationOf(action.expect, place),
    };
  });
}

/** Longest name that is made of a call, in UTF-16 units. */
const MAX_NAME = 80;

/** Secrets are masked: what a command prints ends up in logs of builds. */
function describe({ action: { tool, args } }: MockAction): string {
  const shown = args === undefined ? "" : ` ${canonicalJson(maskSecrets(args, canonicalJson(args)))}`;
  const name = `${tool}${shown}`;
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}...`;
}

const PATTERN = /^\/(.+)\/([iu]*)$/s;

function expectationOf({ reason, ...expected }: Expected, place: string): Expectation {
  if (reason === undefined) return expected;
  const pattern = PATTERN.exec(reason);
  if (pattern === null)
    return { ...expected, reason: { text: reason, matches: (found) => found === reason } };
  try {
    const regex = new RegExp(pattern[1] ?? "", pattern[2]);
    return { ...expected, reason: { text: reason, matches: (found) => regex.test(found) } };
  } catch (error) {
    throw new CommandFailure("usage", `${place}: expect.reason: expected a valid pattern: ${reason}`, error);
  }
}
