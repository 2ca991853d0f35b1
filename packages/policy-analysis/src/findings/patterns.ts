import type { AuthoredQuestion } from "./authored-rule.ts";
import type { FindingContext } from "./finding.ts";
import { textsOf, type WrittenText } from "./suspect-question.ts";

export interface WrittenPattern {
  readonly authored: AuthoredQuestion;
  readonly written: WrittenText;
  readonly operator: "matches" | "matches_all";
}

/** Every regular expression of the conditions of a document. */
export function* patternsOf({ rules }: FindingContext): Iterable<WrittenPattern> {
  for (const authored of rules.flatMap(({ questions }) => questions)) {
    const { operator } = authored;
    if (operator !== "matches" && operator !== "matches_all") continue;
    for (const written of textsOf(authored)) yield { authored, written, operator };
  }
}
