import { GlobIndex } from "@svc/engine/glob-index";
import { coversAll, firstCovering, overlapOfAny } from "@svc/engine/glob-overlap";
import type { PlacedGlob, PolicyDocument, Rule } from "@svc/engine/policy-document";
import type { Reporter } from "@svc/engine/reporter";
import { RuleIndex } from "@svc/engine/rule-index";
import type { Trial } from "../findings/trial.ts";
import { globWork } from "../glob-work.ts";
import { boundedField, isImpliedByBound, numberBeyond } from "./implied-by-bound.ts";
import { matchedByBoth } from "./matched-by-both.ts";

/**
 * Most pairs of globs that are compared in search of rules of one priority, as count: some 100 ms. What is
 * left of a larger document is not searched: nothing but these warnings depends on it.
 */
const MAX_COMPARED_GLOBS = 1_000_000;

/**
 * Most characters of globs that are compared in search of rules that have no effect: some 300 ms of the worst
 * globs. What is left of a larger document is not searched either.
 */
const MAX_GLOB_WORK = 2_000_000;

interface ConflictPlaces {
  readonly trial: Trial;
  readonly reporter: Reporter;
}

/** At most one warning per rule: the first reason why it does not do what it says. */
export function reportRuleConflicts(document: PolicyDocument, trial: Trial, reporter: Reporter): void {
  const places: ConflictPlaces = { trial, reporter };
  const denied = new GlobIndex(document.denied.map(({ glob }) => glob));
  const final = document.rules
    .filter((rule) => answers(rule) && rule.match === null)
    .toSorted((left, right) => left.priority - right.priority || rankOf(left) - rankOf(right));
  const finalIndex = new RuleIndex(final.map(({ tools }) => tools));
  const isAllowed = allowedBy(document);
  const hides = hiding(document.rules);

  const bounded = document.rules.filter((rule) => answers(rule) && boundedField(rule) !== null);
  const workOfTool = globWork([...document.allowed, ...document.denied].map(({ glob }) => glob));
  let work = 0;
  let compared = 0;
  for (const [at, rule] of document.rules.entries()) {
    work += workOfTool * rule.tools.length;
    if (work > MAX_GLOB_WORK) return;
    const deniedBy = firstDenied(document, denied, rule);
    const strongest = coveringRules(final, finalIndex, rule).find((over) => hides(over, rule));
    const wider = bounded.length > MAX_BOUNDED ? undefined : widerRule(bounded, rule, hides);
    if (deniedBy !== undefined) reportDenied(rule, deniedBy, places);
    else if (strongest !== undefined) {
      reportShadowed(rule, strongest, places);
    } else if (wider !== undefined) {
      reportImplied(rule, wider, places);
    } else if (!isAllowed(rule)) reportNeverAllowed(rule, document.rules, places);
    else if (compared < MAX_COMPARED_GLOBS) compared += reportEqualPriority(document.rules, at, places);
  }
}

/** Most rules with one bound that are compared with each other, as count. */
const MAX_BOUNDED = 150;

/** A rule of the same strictness that matches whatever this one matches, and answers first. */
function widerRule(
  bounded: readonly Rule[],
  rule: Rule,
  hides: (over: Rule, rule: Rule) => boolean,
): Rule | undefined {
  if (!answers(rule) || boundedField(rule) === null) return undefined;
  return bounded.find(
    (over) =>
      (over.action.kind === "allow") === (rule.action.kind === "allow") &&
      hides(over, rule) &&
      isImpliedByBound(over, rule) &&
      coversAll(over.tools, rule.tools),
  );
}

/** The first denied glob about its tools, where every tool that the rule could match is denied. */
function firstDenied({ denied }: PolicyDocument, index: GlobIndex, { tools }: Rule): PlacedGlob | undefined {
  const places = tools.map((tool) => firstCovering(index, tool));
  return places.includes(-1) ? undefined : denied[places[0] ?? -1];
}

/** Those that are about every tool that the rule is about. */
function coveringRules(rules: readonly Rule[], index: RuleIndex, rule: Rule): readonly Rule[] {
  const [first = ""] = rule.tools;
  return index
    .covering(first)
    .flatMap((place) => rules[place] ?? [])
    .filter((over) => coversAll(over.tools, rule.tools));
}

/** Among rules of one priority the lowest rank answers. A rewrite answers nothing. */
const RANK: { readonly [kind in Rule["action"]["kind"]]: number } = {
  deny: 0,
  require_approval: 1,
  allow: 2,
  redact: 2,
  constrain: 2,
};

function rankOf({ action }: Rule): number {
  return RANK[action.kind];
}

/**
 * Whether a rule without conditions leaves another one nothing to do, whatever the call. What an earlier
 * answer makes void hides nothing: an approval before an allow lets a later deny decide, and an allow before
 * a deny lets a later rewrite apply.
 */
function hiding(rules: readonly Rule[]): (over: Rule, rule: Rule) => boolean {
  const places = new Map(rules.map((rule, at) => [rule, at]));
  const firstOf = (kind: Rule["action"]["kind"]): number =>
    Math.min(...rules.filter(({ action }) => action.kind === kind).map(({ priority }) => priority));
  const [firstAllow, firstApproval] = [firstOf("allow"), firstOf("require_approval")];
  return (over, rule) => {
    if (over === rule || over.priority > rule.priority) return false;
    if (asksOtherwise(rule, over)) return false;
    if (!answers(rule)) return over.action.kind === "deny" && firstAllow >= over.priority;
    if (over.priority < rule.priority) {
      if (over.action.kind === "deny" || rule.action.kind !== "deny") return true;
      return over.action.kind === "allow" && firstApproval >= over.priority;
    }
    if (rankOf(over) !== rankOf(rule)) return rankOf(over) < rankOf(rule);
    return (places.get(over) ?? 0) < (places.get(rule) ?? 0);
  };
}

/** Every tool the rule could match is denied before rules are looked at. */
function reportDenied(
  rule: Rule,
  over: PolicyDocument["denied"][number],
  { trial, reporter }: ConflictPlaces,
): void {
  const witness = overlapOfAny([over.glob], rule.tools) ?? over.glob;
  reporter.report("policy/rule-on-denied-tool", rule.place, {
    message:
      `the rule ${rule.id} never takes effect: every tool that it matches is denied by ` +
      `${over.glob} under tools.denied; ${matchedByBoth(witness)}`,
    expected: "a rule about tools that are not all denied",
    found: `tool: ${nameTools(rule)}`,
    fix: `remove the rule, or remove ${over.glob} from tools.denied and write what stays denied as rules`,
    related: over.place,
    witness: trial.witnessFor(witness),
  });
}

/** A rule without conditions answers every call that this one matches. */
function reportShadowed(rule: Rule, over: Rule, { trial, reporter }: ConflictPlaces): void {
  const witness = overlapOfAny(over.tools, rule.tools) ?? nameTools(rule);
  const why =
    over.priority < rule.priority
      ? "has a lower priority number"
      : `has the same priority and ${over.action.kind === rule.action.kind ? "comes first" : "is stricter"}`;
  reporter.report("policy/shadowed-rule", rule.place, {
    message:
      `the rule ${rule.id} never takes effect: ${over.id} ${why}, and has no conditions; ` +
      matchedByBoth(witness),
    expected: "a rule that some call can reach",
    found: `tool: ${nameTools(rule)}, behind ${over.id} with tool: ${nameTools(over)}`,
    fix: `remove the rule ${rule.id}, or give it a priority below ${String(over.priority)}`,
    related: over.place,
    witness: trial.witnessFor(witness),
  });
}

/** The bound of a rule that answers first takes in every number that this one is about. */
function reportImplied(rule: Rule, over: Rule, { trial, reporter }: ConflictPlaces): void {
  const tool = overlapOfAny(over.tools, rule.tools) ?? nameTools(rule);
  const beyond = { field: boundedField(rule) ?? "", value: numberBeyond(rule) };
  reporter.report("policy/shadowed-rule", rule.place, {
    message:
      `the rule ${rule.id} never takes effect: ${over.id} answers first, and matches every call that ` +
      `${rule.id} matches`,
    expected: "the narrower bound first",
    found: `a bound on ${beyond.field} within that of ${over.id}`,
    fix: `give ${rule.id} a priority below ${String(over.priority)}`,
    related: over.place,
    witness: trial.witnessFor(tool, [beyond]),
  });
}

function reportNeverAllowed(rule: Rule, rules: readonly Rule[], { trial, reporter }: ConflictPlaces): void {
  const witness = overlapOfAny(rule.tools, ["*"]) ?? nameTools(rule);
  const later = rules.find(
    ({ action, tools }) => action.kind === "allow" && overlapOfAny(tools, rule.tools) !== null,
  );
  if (later !== undefined) {
    const priority = String(rule.priority);
    reporter.report("policy/rule-never-allowed", rule.place, {
      message:
        `${later.id} allows the tools of ${rule.id} only after it, and an approval makes a later allow ` +
        `rule void: the calls that ${rule.id} matches are denied`,
      expected: `a priority of at most ${priority} for ${later.id}`,
      found: `priority ${String(later.priority)} for ${later.id}`,
      fix: `give ${later.id} the priority ${priority}, or add its tools to tools.allowed`,
      related: later.place,
      witness: trial.witnessFor(witness),
    });
    return;
  }
  reporter.report("policy/rule-never-allowed", rule.place, {
    message:
      `nothing allows the tools of ${rule.id}, so their calls are denied whatever the rule says; ` +
      `for example the tool ${witness}`,
    expected: `an entry under tools.allowed that matches ${nameTools(rule)}`,
    found: "no such entry",
    fix: `add ${rule.tools.map(quoteGlob).join(" and ")} to tools.allowed`,
    witness: trial.witnessFor(witness),
  });
}

/**
 * Two rules of one priority that answer differently: the stricter one wins. Where the stricter one matches
 * only tools that the other one matches too, it is an exception, and that is how exceptions are written.
 * @returns how many pairs of globs were compared.
 */
function reportEqualPriority(
  rules: readonly Rule[],
  at: number,
  { trial, reporter }: ConflictPlaces,
): number {
  const rule = rules[at];
  let compared = 0;
  if (rule === undefined || !answers(rule)) return compared;
  for (let before = at - 1; before >= 0; before -= 1) {
    const other = rules[before];
    if (other === undefined || other.priority !== rule.priority) return compared;
    if (!answers(other) || other.action.kind === rule.action.kind) continue;
    compared += other.tools.length * rule.tools.length;
    const witness = overlapOfAny(other.tools, rule.tools);
    if (witness === null) continue;
    const [stricter, looser] = rankOf(other) < rankOf(rule) ? [other, rule] : [rule, other];
    if (coversAll(looser.tools, stricter.tools)) continue;
    // Reported at the looser one, which never takes effect.
    if (stricter.match === null && coversAll(stricter.tools, looser.tools)) continue;
    const priority = String(rule.priority);
    reporter.report("policy/equal-priority", rule.place, {
      message:
        `${other.id} and ${rule.id} have the same priority; where both match, ${stricter.id} wins, because ` +
        `${stricter.action.kind} is stricter than ${looser.action.kind}; ${matchedByBoth(witness)}`,
      expected: "different priorities",
      found: `priority ${priority} for both`,
      fix: `give the rule that should win a priority below ${priority}`,
      related: other.place,
      witness: trial.witnessFor(witness),
    });
    return compared;
  }
  return compared;
}

/**
 * Whether a rule can have any effect. An approval or a rewrite permits nothing: where the policy fails
 * closed, another rule or list must allow one of its tools. An allow rule after an approval is void.
 */
function allowedBy({ failClosed, allowed, rules }: PolicyDocument): (rule: Rule) => boolean {
  const globs = allowed.map(({ glob }) => glob);
  const index = new GlobIndex(globs);
  const allows = rules.filter(({ action }) => action.kind === "allow");
  return ({ action, tools, priority }) =>
    !failClosed ||
    action.kind === "deny" ||
    action.kind === "allow" ||
    tools.some((tool) => index.hasMatch(tool)) ||
    overlapOfAny(globs, tools) !== null ||
    allows.some(
      (allow) =>
        (action.kind !== "require_approval" || allow.priority <= priority) &&
        overlapOfAny(allow.tools, tools) !== null,
    );
}

/**
 * Whether a rule asks for the approval of a workflow that the other one, which asks as well, does not name.
 * Such a rule has an effect wherever it stands: it wins over one without a workflow, and two workflows deny.
 */
function asksOtherwise({ action }: Rule, { action: other }: Rule): boolean {
  if (action.kind !== "require_approval" || other.kind !== "require_approval") return false;
  return action.workflow !== null && action.workflow !== other.workflow;
}

function answers({ action }: Rule): boolean {
  return action.kind === "deny" || action.kind === "require_approval" || action.kind === "allow";
}

function nameTools({ tools }: Rule): string {
  return tools.join(", ");
}

/** A glob as YAML needs it: YAML reads an unquoted text that begins with a star as an alias. */
function quoteGlob(glob: string): string {
  return glob.startsWith("*") ? JSON.stringify(glob) : glob;
}
