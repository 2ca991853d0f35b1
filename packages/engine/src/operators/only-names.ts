import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { MEMBER_NAME_PATTERN } from "../evaluate/field-grammar.ts";
import { namesOnly, otherNames, parseMemberName } from "../evaluate/names-only.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectAtMost, expectText, refuse } from "../validate/expect.ts";
import { LIST_REFERENCE } from "../validate/json-schema.ts";
import { sortedList } from "./comparable-values.ts";
import { defineOperator, type Judge } from "./operator.ts";
import type { ValueReading } from "./value-reading.ts";

/** Most names of one condition, as count: no tool takes as many arguments. */
const MAX_NAMES = 200;

const NAME_SCHEMA: JsonObject = { type: "string", pattern: MEMBER_NAME_PATTERN };

/** An object without members beside those that are named. For `args` that object is all arguments. */
export const onlyNames = defineOperator<readonly string[]>({
  name: "only_names",
  summary: "is an object whose members have no other names than these",
  judges: ["args", "anywhere"],
  judgesAllArguments: true,
  validate: ({ value }, reporter) => expectNames(value, reporter),
  valueSchema: () => ({
    anyOf: [
      NAME_SCHEMA,
      LIST_REFERENCE,
      { type: "array", items: { anyOf: [NAME_SCHEMA, LIST_REFERENCE] }, maxItems: MAX_NAMES },
    ],
  }),
  compile: (listed): Judge => {
    const names = new Set(listed);
    return (value, work) => namesOnly(value, names, work);
  },
  show: (names) => names,
  describe: (listed, value) => describeNames(value, new Set(listed)),
  comparable: sortedList,
});

function describeNames(value: JsonValue, names: ReadonlySet<string>): ValueReading | null {
  const read = otherNames(value, names);
  if (read === null) return null;
  return { read, doubt: read.length === 0 ? null : "an object below a name that is not listed" };
}

/** One name or a list. The empty list is an object without members. */
function expectNames(node: SourceNode, reporter: Reporter): readonly string[] | null {
  if (node.kind === "list" && !expectAtMost(node, MAX_NAMES, reporter)) return null;
  const items = node.kind === "list" ? node.items : [node];
  const names = items.flatMap((item) => expectMemberName(item, reporter) ?? []);
  return names.length < items.length ? null : names;
}

function expectMemberName(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "the name of a member", reporter);
  const name = text === null ? null : parseMemberName(text);
  if (text === null || name !== null) return name;
  return refuse("policy/invalid-field", node, reporter, {
    message: `${quoteShort(text)} is not the name of one member`,
    expected:
      "a name such as to; a name with other characters than letters, digits and _ - @ : / + in double quotes",
    fix: fixName(text),
  });
}

function fixName(text: string): string {
  const below = /^args\.(?<rest>.+)$/s.exec(text)?.groups?.["rest"];
  if (below !== undefined && parseMemberName(below) !== null)
    return `write ${below}: names stand without the path of their object`;
  if (text.includes("*")) return "list each name; a tool that may take any name needs no such condition";
  const quoted = JSON.stringify(text);
  if (parseMemberName(quoted) === null) return "write the name of a member that a call can have";
  const [first = "", ...rest] = text.split(".");
  if (rest.length > 0 && parseMemberName(first) !== null)
    return `write ${first}, and a condition of its own for what is below; a name with dots is '${quoted}'`;
  return `write '${quoted}'`;
}
