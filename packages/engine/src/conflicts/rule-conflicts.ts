import { GlobIndex } from "../globs/glob-index.ts";
import { firstCovering, overlapWitness } from "../globs/glob-overlap.ts";
import type { PolicyDocument, Rule } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";

/** At most one warning per rule: the first reason why it does not do what it says. */
export function reportRuleConflicts(document: PolicyDocument, reporter: Reporter): void {
  const denied = new GlobIndex(document.denied.map(({ glob }) => glob));
  const final = document.rules.filter((rule) => endsWalk(rule) && rule.match.conditions.length === 0);
  const finalIndex = new GlobIndex(final.map(({ tool }) => tool));
  const isAllowed = allowedBy(document);

  for (const [at, rule] of document.rules.entries()) {
    const deniedBy = document.denied[firstCovering(denied, rule.tool)];
    const shadowedBy = final[firstCovering(finalIndex, rule.tool)];
    if (deniedBy !== undefined) reportDenied(rule, deniedBy, reporter);
    else if (shadowedBy !== undefined && document.rules.indexOf(shadowedBy) < at) {
      reportShadowed(rule, shadowedBy, reporter);
    } else if (!isAllowed(rule)) reportNeverAllowed(rule, reporter);
    else reportEqualPriority(document.rules, at, reporter);
  }
}

/** Every tool the rule could match is denied before rules are looked at. */
function reportDenied(rule: Rule, over: PolicyDocument["denied"][number], reporter: Reporter): void {
  reporter.report("policy/rule-on-denied-tool", rule.place, {
    message: `the rule ${rule.id} can never apply: every tool it matches is denied by ${over.glob}`,
    expected: "a rule about tools that are not all denied",
    found: `tool: ${rule.tool}`,
    fix: "remove the rule, or the entry under tools.denied",
    related: over.place,
    witness: overlapWitness(over.glob, rule.tool) ?? rule.tool,
  });
}

/** An earlier rule without conditions ends the walk for every tool of this one. */
function reportShadowed(rule: Rule, over: Rule, reporter: Reporter): void {
  reporter.report("policy/shadowed-rule", rule.place, {
    message: `the rule ${rule.id} can never apply: ${over.id} comes first and always answers`,
    expected: "a rule that some call can reach",
    found: `tool: ${rule.tool}, after ${over.id} with tool: ${over.tool}`,
    fix: "give this rule a lower priority number than the other, or remove it",
    related: over.place,
    witness: overlapWitness(over.tool, rule.tool) ?? rule.tool,
  });
}

function reportNeverAllowed(rule: Rule, reporter: Reporter): void {
  reporter.report("policy/rule-never-allowed", rule.place, {
    message: `nothing allows the tools of ${rule.id}, so its calls are denied whatever it says`,
    expected: `an entry under tools.allowed that matches ${rule.tool}`,
    found: "none",
    fix: `add ${rule.tool} to tools.allowed`,
    witness: overlapWitness(rule.tool, "*") ?? rule.tool,
  });
}

/** Two rules of one priority that answer differently: only their order in the file decides. */
function reportEqualPriority(rules: readonly Rule[], at: number, reporter: Reporter): void {
  const rule = rules[at];
  if (rule === undefined || !endsWalk(rule)) return;
  for (let before = at - 1; before >= 0; before -= 1) {
    const other = rules[before];
    if (other === undefined || other.priority !== rule.priority) return;
    if (!endsWalk(other) || other.action.kind === rule.action.kind) continue;
    const witness = overlapWitness(other.tool, rule.tool);
    if (witness === null) continue;
    reporter.report("policy/equal-priority", rule.place, {
      message: `${other.id} and ${rule.id} have one priority and can match one call; the earlier wins`,
      expected: "different priorities",
      found: `${String(rule.priority)} twice`,
      fix: "give the rule that should win the lower number",
      related: other.place,
      witness,
    });
    return;
  }
}

/**
 * Whether a rule can have a say at all. An approval or a rewrite permits nothing: where the policy fails
 * closed, something else must allow one of its tools.
 */
function allowedBy({ failClosed, allowed, rules }: PolicyDocument): (rule: Rule) => boolean {
  const byRule = rules.filter(({ action }) => action.kind === "allow").map(({ tool }) => tool);
  const globs = [...allowed.map(({ glob }) => glob), ...byRule];
  const index = new GlobIndex(globs);
  return ({ action, tool }) =>
    !failClosed ||
    action.kind === "deny" ||
    action.kind === "allow" ||
    index.hasMatch(tool) ||
    globs.some((glob) => overlapWitness(glob, tool) !== null);
}

function endsWalk({ action }: Rule): boolean {
  return action.kind === "deny" || action.kind === "require_approval" || action.kind === "allow";
}
