import { IDENTIFIER_QUOTES, type SqlDialect } from "./sql-dialect.ts";
import type { SqlToken } from "./sql-lexer.ts";
import { CONSTANTS, RESERVED } from "./sql-words.ts";

const COMPARISONS: ReadonlySet<string> = new Set(["=", "<", ">", "<=", ">="]);

/** Words and operators with which the parts between ANDs are not conditions of their own. */
const WEAKENING: ReadonlySet<string> = new Set(["OR", "XOR", "BETWEEN", "CASE"]);

/**
 * Whether a condition surely leaves rows out as far as its form tells: one of the parts that AND connects
 * compares a column with a value. `true`, `1 = 1` and `id = id` do not.
 */
export function isSurelyBounded(condition: readonly SqlToken[], dialect: SqlDialect): boolean {
  const parts: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of condition) {
    if (token.kind === "sign" && token.text === "(") depth += 1;
    if (token.kind === "sign" && token.text === ")") depth -= 1;
    if (depth === 0 && token.kind === "sign" && token.text === "||") return false;
    if (depth === 0 && token.kind === "word" && WEAKENING.has(token.upper)) return false;
    if (depth === 0 && token.kind === "word" && token.upper === "AND") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.some((part) => comparesColumn(part, dialect));
}

/** `column = value`, `table.column = value` or `column IN (value, ...)`, and nothing more. */
function comparesColumn(part: readonly SqlToken[], dialect: SqlDialect): boolean {
  let at = 0;
  if (!isColumn(part[at], dialect)) return false;
  at += 1;
  while (isSign(part[at], ".") && isColumn(part[at + 1], dialect)) at += 2;
  const operator = part[at];
  const rest = part.slice(at + 1);
  if (operator?.kind === "sign" && COMPARISONS.has(operator.text))
    return rest.length === 1 && rest[0]?.kind === "value";
  if (operator?.kind !== "word" || operator.upper !== "IN") return false;
  const values = rest.slice(1, -1);
  return (
    isSign(rest[0], "(") &&
    isSign(rest.at(-1), ")") &&
    values.length > 0 &&
    values.every((token, index) => (index % 2 === 0 ? token.kind === "value" : isSign(token, ",")))
  );
}

/** In double quotes SQLite takes the name of no column as a text. */
function isColumn(token: SqlToken | undefined, dialect: SqlDialect): boolean {
  if (token?.kind === "quoted")
    return (
      IDENTIFIER_QUOTES[dialect].includes(token.quote) &&
      !(dialect === "sqlite" && token.quote === '"') &&
      // Columns of the system have the same names in quotes.
      !CONSTANTS.has(token.text.toUpperCase())
    );
  return token?.kind === "word" && !RESERVED.has(token.upper) && !CONSTANTS.has(token.upper);
}

function isSign(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === "sign" && token.text === text;
}
