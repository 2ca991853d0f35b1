import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredQuestion } from "../authored-rule.ts";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { shortNameOf, suspectQuestion, textsOf } from "../suspect-question.ts";
import { sampleOf } from "../witness/pattern-sample.ts";

const NAMES: ReadonlySet<string> = new Set(["query", "sql", "statement", "statements"]);

const COMPARES_TEXT: ReadonlySet<unknown> = new Set(["contains", "starts_with", "matches", "matches_all"]);

const STATEMENTS = ["select", "insert", "update", "delete"];

const KEYWORD = /\b(select|with|insert|update|delete|drop|truncate|alter|create|grant|revoke)\b/i;

/** A statement that is judged as a text: a database reads it in another way. */
export const sqlAsText: FindingCheck = {
  code: "policy/sql-as-text",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator, role } = authored;
      if (!COMPARES_TEXT.has(operator) || !NAMES.has(shortNameOf(authored))) continue;
      const [first] = textsOf(authored);
      const samples = samplesOf(authored);
      if (first === undefined || samples.length === 0) continue;
      const instead = asStatements(authored, samples);
      yield suspectQuestion(context, authored, {
        place: first.place,
        instead,
        shows: "passes",
        values: samples.flatMap(role === "stops" ? otherSpellings : withAnotherStatement),
        words: {
          message:
            role === "stops"
              ? "a database reads other spellings as the same statement, and this condition compares the text"
              : "a text with a known statement may hold further ones, and this condition compares the text",
          expected: "sql_only, which reads the statements",
          found: `operator: ${operator} for ${shortNameOf(authored)}`,
          fix: `write ${renderFlow(instead)}, and give the user of the database no more rights than it needs`,
        },
      });
    }
  },
};

function samplesOf(authored: AuthoredQuestion): readonly string[] {
  const isPattern = authored.operator.startsWith("matches");
  return textsOf(authored).flatMap(({ text }) => {
    const sample = isPattern ? sampleOf(text) : text;
    return sample !== null && KEYWORD.test(sample) ? [sample] : [];
  });
}

/** A statement that ends the first one, and one in which a comment stands where a space did. */
function withAnotherStatement(sample: string): readonly string[] {
  return [`${sample} 1; DROP TABLE users`, `${sample}; DROP TABLE users`, `DROP TABLE users -- ${sample}`];
}

function otherSpellings(sample: string): readonly string[] {
  const whole = /^\s*(?:drop|truncate|delete|update|insert|alter)\s*$/i.test(sample)
    ? `${sample} ${OBJECT}`
    : sample;
  const written = [whole, `${whole} users`, `${whole} users WHERE id = 1`];
  return written.flatMap((text) => [
    text.replaceAll(/\s+/g, "/**/"),
    text.replaceAll(/\s+/g, "  "),
    text.toLowerCase(),
    text.toUpperCase(),
  ]);
}

const OBJECT = "table";

function asStatements({ written, role }: AuthoredQuestion, samples: readonly string[]): JsonObject {
  const { ignore_case: _case, ...rest } = written;
  const keywords = samples.map((sample) => (KEYWORD.exec(sample)?.[1] ?? "").toLowerCase());
  const only = (statements: readonly string[]): JsonObject => ({
    ...rest,
    operator: "sql_only",
    value: { statements },
  });
  if (role === "stops") return { not: only(STATEMENTS.filter((name) => !keywords.includes(name))) };
  const allowed = STATEMENTS.filter((name) => keywords.includes(name));
  return only(allowed.length === 0 ? ["select"] : allowed);
}
