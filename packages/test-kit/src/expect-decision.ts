import { EXPECTED_DECISIONS_TEXT, isExpectedDecisions, meetsDecision } from "@svc/contract/expected-decision";
import type { OutcomeStatus } from "@svc/contract/outcome-status";
import { isReasonCode, REASON_CODES } from "@svc/contract/verdict";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonValue } from "@svc/text/json-value";
import { nearestName } from "@svc/text/nearest-name";
import { EXPECTABLE, type ExpectedDecision, type KitDecision } from "./decision.ts";
import { KitRefusal } from "./kit-refusal.ts";

type Expectable = (typeof EXPECTABLE)[number];

/** Most decisions that a failed expectation lists, the last ones. */
const MOST_LISTED = 10;

/** Longest arguments that a failed expectation shows, in UTF-16 units. */
const MOST_SHOWN = 400;

export type Expectation =
  | { readonly kind: "met"; readonly decision: KitDecision }
  | { readonly kind: "missed"; readonly message: string };

/**
 * Looks for a decision that is as expected, the last one first.
 * @param explain the steps of the evaluation of one of the decisions, as lines
 * @throws KitRefusal for a member that decisions do not have
 */
export function expectDecision(
  expected: ExpectedDecision,
  decisions: readonly KitDecision[],
  explain: (decision: KitDecision) => readonly string[],
): Expectation {
  const wanted = wantedMembers(expected);
  const met = decisions.findLast((decision) => wanted.every((member) => fits(member, expected, decision)));
  if (met !== undefined) return { kind: "met", decision: met };
  const nearest = nearestOf(wanted, expected, decisions);
  const lines = [
    "expected a decision with:",
    ...wanted.map((member) => `    ${member}: ${shown(expected[member])}`),
    ...(nearest === undefined
      ? ["got no decision: no call reached the gateway"]
      : got(wanted, expected, nearest)),
    ...(nearest === undefined ? [] : ["how the policy came to it:", ...indented(explain(nearest))]),
    ...(decisions.length > 1 ? listed(decisions) : []),
  ];
  return { kind: "missed", message: lines.join("\n") };
}

function wantedMembers(expected: ExpectedDecision): readonly Expectable[] {
  const names: readonly string[] = EXPECTABLE;
  for (const name of Object.keys(expected)) {
    if (names.includes(name)) continue;
    const meant = nearestName(name, names);
    const fix = meant === null ? "" : `. Did you mean ${meant}?`;
    throw new KitRefusal(`expected one of ${names.join(", ")}, found ${name}${fix}`);
  }
  const wanted = EXPECTABLE.filter((member) => expected[member] !== undefined);
  requirePossible(expected);
  return wanted;
}

const OUTCOMES: Readonly<Record<OutcomeStatus, true>> = {
  failed: true,
  not_executed: true,
  revoked: true,
  succeeded: true,
};

/** @throws KitRefusal for a value that no decision has: such a test says nothing about the policy */
function requirePossible({ decision, outcome, reason_code: code }: ExpectedDecision): void {
  if (decision !== undefined && !isExpectedDecisions(decision))
    throw new KitRefusal(`decision: expected ${EXPECTED_DECISIONS_TEXT}, found ${shown(decision)}`);
  if (typeof outcome === "string" && !Object.hasOwn(OUTCOMES, outcome))
    throw new KitRefusal(
      `outcome: expected failed, not_executed, revoked, succeeded or null, found ${shown(outcome)}`,
    );
  if (typeof code !== "string" || isReasonCode(code)) return;
  const meant = nearestName(code, REASON_CODES);
  const fix = meant === null ? "docs/REASONS.md lists them" : `Did you mean ${meant}?`;
  throw new KitRefusal(`reason_code: expected a reason code, found ${shown(code)}. ${fix}`);
}

function fits(member: Expectable, expected: ExpectedDecision, decision: KitDecision): boolean {
  if (member === "decision" && expected.decision !== undefined)
    return meetsDecision(expected.decision, decision.decision);
  return canonicalJson(expected[member] ?? null) === canonicalJson(decision[member]);
}

/** How much a member says about which call is meant. What the gateway answered says nothing about that. */
const WEIGHTS: Partial<Record<Expectable, number>> = { tool: 16, args: 8, session_id: 4, agent_id: 4 };

/** The decision that has most of what is expected; of several the last one. */
function nearestOf(
  wanted: readonly Expectable[],
  expected: ExpectedDecision,
  decisions: readonly KitDecision[],
): KitDecision | undefined {
  const score = (decision: KitDecision): number =>
    wanted.reduce((sum, member) => sum + (fits(member, expected, decision) ? (WEIGHTS[member] ?? 1) : 0), 0);
  const best = Math.max(...decisions.map(score));
  return decisions.findLast((decision) => score(decision) === best);
}

function got(wanted: readonly Expectable[], expected: ExpectedDecision, nearest: KitDecision): string[] {
  const members = new Set<Expectable>([...wanted, "tool", "args", "decision", "rule_id"]);
  const lines = EXPECTABLE.filter((member) => members.has(member)).map((member) => {
    const differs = wanted.includes(member) && !fits(member, expected, nearest);
    return `  ${differs ? "x" : " "} ${member}: ${shown(nearest[member])}`;
  });
  return ["got, as the nearest one:", ...lines, `    reason: ${nearest.reason ?? "none, it was allowed"}`];
}

function listed(decisions: readonly KitDecision[]): string[] {
  const last = decisions.slice(-MOST_LISTED);
  const left = decisions.length - last.length;
  const lines = last.map(
    ({ decision, agent_id, tool, args, rule_id }) =>
      `${decision} ${agent_id} ${tool} ${shown(args)}${rule_id === null ? "" : ` by ${rule_id}`}`,
  );
  const title =
    left === 0
      ? "all decisions:"
      : `the last ${String(MOST_LISTED)} of ${String(decisions.length)} decisions:`;
  return [title, ...indented(lines)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `    ${line}`);
}

function shown(value: JsonValue | undefined): string {
  const text = canonicalJson(value ?? null);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}...`;
}
