import type { PolicyDocument, Rule } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import type { GlobPairs } from "./glob-pairs.ts";

export function reportRuleConflicts(document: PolicyDocument, pairs: GlobPairs, reporter: Reporter): void {
  for (const [at, rule] of document.rules.entries()) {
    const reported =
      reportDenied(document, rule, pairs, reporter) ||
      reportShadowed(document.rules.slice(0, at), rule, pairs, reporter) ||
      reportNeverAllowed(document, rule, pairs, reporter);
    if (!reported) reportEqualPriority(document.rules.slice(0, at), rule, pairs, reporter);
  }
}

/** Every tool the rule could match is denied before rules are looked at. */
function reportDenied({ denied }: PolicyDocument, rule: Rule, pairs: GlobPairs, reporter: Reporter): boolean {
  const over = denied.find(({ glob }) => pairs.covers(glob, rule.tool));
  if (over === undefined) return false;
  reporter.report("policy/rule-on-denied-tool", rule.place, {
    message: `the rule ${rule.id} can never apply: every tool it matches is denied by ${over.glob}`,
    expected: "a rule about tools that are not all denied",
    found: `tool: ${rule.tool}`,
    fix: "remove the rule, or the entry under tools.denied",
    related: over.place,
    witness: pairs.witness(over.glob, rule.tool) ?? rule.tool,
  });
  return true;
}

/** An earlier rule without conditions ends the walk for every tool of this one. */
function reportShadowed(earlier: readonly Rule[], rule: Rule, pairs: GlobPairs, reporter: Reporter): boolean {
  const over = earlier.find(
    (candidate) =>
      endsWalk(candidate) &&
      candidate.match.conditions.length === 0 &&
      pairs.covers(candidate.tool, rule.tool),
  );
  if (over === undefined) return false;
  reporter.report("policy/shadowed-rule", rule.place, {
    message: `the rule ${rule.id} can never apply: ${over.id} comes first and always answers`,
    expected: "a rule that some call can reach",
    found: `tool: ${rule.tool}, after ${over.id} with tool: ${over.tool}`,
    fix: "give this rule a lower priority number than the other, or remove it",
    related: over.place,
    witness: pairs.witness(over.tool, rule.tool) ?? rule.tool,
  });
  return true;
}

/** An approval or a rewrite permits nothing; where the policy fails closed, something else must allow the tool. */
function reportNeverAllowed(
  document: PolicyDocument,
  rule: Rule,
  pairs: GlobPairs,
  reporter: Reporter,
): boolean {
  if (!document.failClosed || rule.action.kind === "deny" || rule.action.kind === "allow") return false;
  const allowing = [
    ...document.allowed.map(({ glob }) => glob),
    ...document.rules.filter(({ action }) => action.kind === "allow").map(({ tool }) => tool),
  ];
  if (allowing.some((glob) => pairs.witness(glob, rule.tool) !== null) || pairs.exhausted) return false;
  reporter.report("policy/rule-never-allowed", rule.place, {
    message: `nothing allows the tools of ${rule.id}, so its calls are denied whatever it says`,
    expected: `an entry under tools.allowed that matches ${rule.tool}`,
    found: "none",
    fix: `add ${rule.tool} to tools.allowed`,
    witness: pairs.witness(rule.tool, "*") ?? rule.tool,
  });
  return true;
}

/** Two rules of one priority that answer differently: only their order in the file decides. */
function reportEqualPriority(
  earlier: readonly Rule[],
  rule: Rule,
  pairs: GlobPairs,
  reporter: Reporter,
): void {
  if (!endsWalk(rule)) return;
  for (const other of earlier.toReversed()) {
    if (other.priority !== rule.priority) return;
    if (!endsWalk(other) || other.action.kind === rule.action.kind) continue;
    const witness = pairs.witness(other.tool, rule.tool);
    if (witness === null) continue;
    reporter.report("policy/equal-priority", rule.place, {
      message: `${other.id} and ${rule.id} have the same priority and can match the same call; the earlier in the file wins`,
      expected: "different priorities",
      found: `${String(rule.priority)} twice`,
      fix: "give the rule that should win the lower number",
      related: other.place,
      witness,
    });
    return;
  }
}

function endsWalk({ action }: Rule): boolean {
  return action.kind === "deny" || action.kind === "require_approval" || action.kind === "allow";
}
