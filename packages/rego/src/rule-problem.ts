import { nearestName } from "@svc/text/nearest-name";
import type { ProblemText } from "./rego-module.ts";

export const V1_FORM = "deny contains message if { ... }";

/** The name of a rule at the beginning of a line. */
const HEAD = /^(?:default\s+)?([A-Za-z_]\w*)/;

const NO_HEADS: ReadonlySet<string> = new Set(["package", "import", "else"]);

/** A module without a rule that a policy asks for, at its first rule. */
export function noRuleProblem(text: string): ProblemText & { readonly row: number } {
  const heads = text.split("\n").flatMap((line, at) => {
    const name = HEAD.exec(line)?.[1];
    return name === undefined || NO_HEADS.has(name) ? [] : [{ name, row: at + 1 }];
  });
  const misspelt = heads.find(({ name }) => meantBy(name) !== null);
  const found = misspelt ?? heads.find(({ name }) => name === "allow") ?? heads[0];
  return {
    row: found?.row ?? 1,
    code: "rego/no-rule",
    message: "The module defines neither `deny` nor `require_approval`, so it would decide nothing.",
    expected: "a rule `deny` or `require_approval`",
    found: found === undefined ? "no rule" : `the rule ${found.name}`,
    fix: fixFor(found?.name),
  };
}

function fixFor(name: string | undefined): string {
  if (name === undefined) return `Write \`${V1_FORM}\`.`;
  const meant = meantBy(name);
  if (meant !== null) return `Did you mean ${meant}?`;
  if (name === "allow")
    return (
      "A module says what must not happen, and the policy says what may. Add " +
      '`deny contains "not allowed" if not allow`.'
    );
  return `Write \`${V1_FORM}\` in place of ${name}.`;
}

function meantBy(name: string): string | null {
  return nearestName(name, ["deny", "require_approval"]);
}

/** A rule that is not a set of messages. @param found what it is */
export function shapeProblem(found: string): ProblemText {
  return {
    code: "rego/rule-shape",
    message: "`deny` and `require_approval` are sets of messages.",
    expected: V1_FORM,
    found,
    fix: fixOf(found),
  };
}

function fixOf(found: string): string {
  if (found === "a default value") return "Remove this line: where nothing denies, the set is empty.";
  if (found.startsWith("a set of object")) return "Put only the text of the message into the set.";
  return `Write \`${V1_FORM}\`, where the message is a string.`;
}
