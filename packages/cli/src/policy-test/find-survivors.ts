import type { DecidingDocument } from "@svc/engine/compile-document";
import type { Evaluator } from "@svc/engine/evaluation";
import type { RuleBody } from "@svc/engine/policy-document";
import { compileExplaining } from "@svc/policy-analysis/compile-explaining";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";
import { lineOf } from "../policy-files/read-policy-file.ts";
import { decideCases } from "./decide-cases.ts";
import { mismatches } from "./mismatches.ts";
import type { TestCase } from "./test-case.ts";

/** Most changes of a policy that are tried, as count: each runs every case. */
const MAX_MUTANTS = 5_000;

export interface MutationResult {
  readonly tried: number;
  /** Whether the policy has more changes than were tried. */
  readonly isCut: boolean;
  /** Changes that no case noticed. */
  readonly survivors: readonly Pick<Mutant, "what" | "line">[];
}

/** Changes the policy in one place at a time, and lists the changes with which every case still passes. */
export async function findSurvivors(
  file: CompiledFile,
  cases: readonly TestCase[],
  onProgress: (tried: number) => void,
): Promise<MutationResult> {
  const survivors: Pick<Mutant, "what" | "line">[] = [];
  const { evaluators } = file.explaining.policy;
  let tried = 0;
  for (const { what, line, document } of mutantsOf(file)) {
    if (tried >= MAX_MUTANTS) return { tried, isCut: true, survivors };
    tried += 1;
    onProgress(tried);
    if (!(await isNoticed(document, evaluators, cases))) survivors.push({ what, line });
  }
  return { tried, isCut: false, survivors };
}

async function isNoticed(
  document: Mutant["document"],
  evaluators: readonly Evaluator[],
  cases: readonly TestCase[],
): Promise<boolean> {
  let noticed = false;
  await decideCases(compileExplaining(document, evaluators), cases, (test, decided) => {
    if (test.expected !== null && mismatches(test.expected, decided).length > 0) noticed = true;
    return !noticed;
  });
  return noticed;
}

/** A policy with one change that a test should notice. */
interface Mutant {
  /** The change in words: `the rule large-refund is removed`. */
  readonly what: string;
  readonly line: number;
  readonly document: DecidingDocument;
}

type Document = DecidingDocument & { readonly rules: readonly RuleBody[] };

/** Every small change of a policy, one at a time. */
function* mutantsOf({ source, reading, explaining }: CompiledFile): Generator<Mutant> {
  const { document } = explaining;
  const { rules, allowed, denied } = reading.document;
  const at = ({ place }: { readonly place: { readonly offset: number } }) => lineOf(source, place.offset);
  for (const [index, rule] of rules.entries())
    for (const { what, rules: changed } of changesOf(document.rules, index))
      yield {
        what: `the rule ${rule.id} ${what}`,
        line: at(rule),
        document: { ...document, rules: changed },
      };
  for (const [index, entry] of allowed.entries())
    yield {
      what: `${entry.glob} is removed from tools.allowed`,
      line: at(entry),
      document: { ...document, allowed: without(document.allowed, index) },
    };
  for (const [index, entry] of denied.entries())
    yield {
      what: `${entry.glob} is removed from tools.denied`,
      line: at(entry),
      document: { ...document, denied: without(document.denied, index) },
    };
  yield* headMutants(document);
}

function* headMutants(document: Document): Generator<Mutant> {
  const { head } = document;
  const changed = (what: string, change: Partial<typeof head>): Mutant => ({
    what,
    line: 1,
    document: { ...document, head: { ...head, ...change } },
  });
  const { failClosed, maxSteps, maxCostMicroUsd } = head;
  yield changed(`fail_closed is ${String(!failClosed)}`, { failClosed: !failClosed });
  if (maxSteps !== null) {
    yield changed("session.max_steps is removed", { maxSteps: null });
    yield changed("session.max_steps is one more", { maxSteps: maxSteps + 1 });
  }
  if (maxCostMicroUsd !== null)
    yield changed("cost.max_usd_per_session is removed", { maxCostMicroUsd: null });
}

interface RuleChange {
  readonly what: string;
  readonly rules: readonly RuleBody[];
}

function changesOf(rules: readonly RuleBody[], index: number): readonly RuleChange[] {
  const rule = rules[index];
  if (rule === undefined) return [];
  const replaced = (change: Partial<RuleBody>) => rules.with(index, { ...rule, ...change });
  const changes: RuleChange[] = [{ what: "is removed", rules: without(rules, index) }];
  const flipped = FLIPPED[rule.action.kind];
  if (flipped !== null)
    changes.push({ what: `has the action ${flipped}`, rules: replaced({ action: { kind: flipped } }) });
  const { match } = rule;
  if (match !== null) {
    changes.push({ what: "has no conditions", rules: replaced({ match: null }) });
    changes.push({
      what: "has the opposite condition",
      rules: replaced({ match: match.kind === "not" ? match.condition : { kind: "not", condition: match } }),
    });
  }
  return changes;
}

/** Null: removing the rule says as much. */
const FLIPPED: Readonly<Record<RuleBody["action"]["kind"], "allow" | "deny" | null>> = {
  allow: "deny",
  deny: "allow",
  require_approval: "allow",
  redact: null,
  constrain: null,
};

function without<Item>(items: readonly Item[], index: number): readonly Item[] {
  return items.toSpliced(index, 1);
}
