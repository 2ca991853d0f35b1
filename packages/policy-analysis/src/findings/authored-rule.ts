import { QUANTIFIERS, type Question, questionsOf } from "@svc/engine/condition";
import { plainValue } from "@svc/engine/plain-value";
import type { PolicyDocument, Rule } from "@svc/engine/policy-document";
import type { MapNode, SourceNode } from "@svc/engine/source-node";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import type { JsonPath } from "./json-path.ts";

/** A rule beside what its author wrote. */
export interface AuthoredRule {
  readonly rule: Rule;
  /** The rule as JSON. */
  readonly written: JsonObject;
  readonly questions: readonly AuthoredQuestion[];
  readonly groups: readonly AuthoredGroup[];
}

/** A condition beside what its author wrote. */
export interface AuthoredQuestion {
  readonly rule: Rule;
  readonly ruleWritten: JsonObject;
  readonly question: Question;
  readonly operator: string;
  /** Leads from the rule to the mapping with the operator: the condition, or what stands below `every`. */
  readonly at: JsonPath;
  /** That mapping. */
  readonly node: MapNode;
  readonly written: JsonObject;
  readonly role: Role;
}

/** `stops`: the rule restricts a call because the condition holds. `lets`: a call passes because it holds. */
export type Role = "stops" | "lets";

/** A list of conditions below `all` or `any`. */
export interface AuthoredGroup {
  readonly rule: Rule;
  readonly ruleWritten: JsonObject;
  readonly key: "all" | "any";
  /** Leads from the rule to the mapping that holds the key. */
  readonly at: JsonPath;
  readonly node: SourceNode;
  /** Those of its conditions that are not groups themselves. */
  readonly questions: readonly AuthoredQuestion[];
  readonly role: Role;
}

/** Every rule of a valid document, in walking order. */
export function authoredRules(root: SourceNode, { rules }: PolicyDocument): readonly AuthoredRule[] {
  const items = memberOf(root, "rules");
  if (items?.kind !== "list") return [];
  return rules.flatMap((rule) => {
    const node = items.items[Number(/^\/rules\/([0-9]+)/.exec(rule.place.pointer)?.[1] ?? "-1")];
    return node?.kind === "map" ? [authoredRule(rule, node)] : [];
  });
}

export function memberOf(node: SourceNode, key: string): SourceNode | null {
  if (node.kind !== "map") return null;
  return node.entries.find((entry) => entry.key === key)?.value ?? null;
}

function authoredRule(rule: Rule, node: MapNode): AuthoredRule {
  const written = plainValue(node);
  const ruleWritten = isJsonObject(written) ? written : {};
  const match = memberOf(node, "match");
  const questions = questionsOf(rule.match);
  // The end of a rule stands before its conditions.
  const reader = new ConditionReader(
    rule,
    ruleWritten,
    "valid_until" in ruleWritten ? questions.slice(1) : questions,
  );
  if (match !== null) reader.read(match, ["match"], false);
  return { rule, written: ruleWritten, questions: reader.questions, groups: reader.groups };
}

/** Walks the conditions of a rule as validation does: in the order of the document. */
class ConditionReader {
  readonly questions: AuthoredQuestion[] = [];
  readonly groups: AuthoredGroup[] = [];
  readonly #rule: Rule;
  readonly #written: JsonObject;
  readonly #compiled: readonly Question[];

  constructor(rule: Rule, written: JsonObject, compiled: readonly Question[]) {
    this.#rule = rule;
    this.#written = written;
    this.#compiled = compiled;
  }

  read(node: SourceNode, at: JsonPath, isNegated: boolean): AuthoredQuestion | null {
    if (node.kind !== "map") return null;
    if (node.entries.some(({ key }) => key === "field" || key === "fields"))
      return this.#question(node, at, isNegated);
    for (const { key, value } of node.entries) {
      if (key === "condition" || key === "not") {
        this.read(value, [...at, key], key === "not" ? !isNegated : isNegated);
      } else if ((key === "all" || key === "any") && value.kind === "list") {
        const questions = value.items.flatMap(
          (item, place) => this.read(item, [...at, key, place], isNegated) ?? [],
        );
        const own = { rule: this.#rule, ruleWritten: this.#written, role: this.#role(isNegated) };
        this.groups.push({ ...own, key, at, node: value, questions });
      }
    }
    return null;
  }

  #question(node: MapNode, at: JsonPath, isNegated: boolean): AuthoredQuestion | null {
    const question = this.#compiled[this.questions.length];
    if (question === undefined) return null;
    const quantifier = QUANTIFIERS.find((key) => memberOf(node, key) !== null);
    const inner = quantifier === undefined ? null : memberOf(node, quantifier);
    const [test, path] =
      quantifier !== undefined && inner?.kind === "map" ? [inner, [...at, quantifier]] : [node, at];
    const written = plainValue(test);
    const authored: AuthoredQuestion = {
      rule: this.#rule,
      ruleWritten: this.#written,
      question,
      operator: question.test.operator,
      at: path,
      node: test,
      written: isJsonObject(written) ? written : {},
      role: this.#role(isNegated),
    };
    this.questions.push(authored);
    return authored;
  }

  #role(isNegated: boolean): Role {
    return (this.#rule.action.kind === "allow") === isNegated ? "stops" : "lets";
  }
}
