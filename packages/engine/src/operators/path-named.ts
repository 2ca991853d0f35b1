import { anyPartHolds } from "../evaluate/any-part-holds.ts";
import { PATH_NAME_PATTERN, type PathName, parsePathName, pathNamed } from "../evaluate/path-named.ts";
import { NAMED_PATH_WEIGHT, READING_START_LENGTH, type TextWork } from "../evaluate/text-work.ts";
import { anyHolds, type Truth } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectText, refuse } from "../validate/expect.ts";
import { expectOneOrMore, oneOrMoreSchema } from "../validate/expect-value.ts";
import { onlyValue } from "./comparable-values.ts";
import { defineOperator, type Judge } from "./operator.ts";

/** Most names of one condition, as count: each is looked for in each path. */
const MAX_NAMES = 100;

/** A path in which one of the names stands, whatever its case. */
export const pathNamedOperator = defineOperator<readonly PathName[]>({
  name: "path_named",
  summary: "is a path in which one of the names stands, whatever its case",
  judges: ["args", "anywhere"],
  validate: ({ value }, reporter) =>
    expectOneOrMore(value, (item) => expectPathName(item, reporter), reporter, MAX_NAMES),
  valueSchema: () => oneOrMoreSchema({ type: "string", pattern: PATH_NAME_PATTERN }, MAX_NAMES),
  compile: (names, { isAnywhere }): Judge => {
    const weight = NAMED_PATH_WEIGHT + names.reduce((sum, name) => sum + name.segments.join("/").length, 0);
    const judge = (text: string, work: TextWork): Truth =>
      work.spend(text.length + READING_START_LENGTH, weight) ? pathNamed(text, names) : "unread";
    if (!isAnywhere) return (value, work) => (typeof value === "string" ? judge(value, work) : "unsure");
    return (value, work) =>
      anyPartHolds(
        value,
        {
          text: (text) => judge(text, work),
          other: () => "fails",
          // Tools make a path of a list of names, or of pieces of one.
          list: (items) => {
            const texts = items.filter((item) => typeof item === "string");
            const joined = texts.length < 2 ? [] : [texts.join("/"), texts.join("")];
            const truth = anyHolds(joined, (text) => judge(text, work));
            return truth === "holds" ? "unsure" : truth;
          },
        },
        work,
      );
  },
  show: (names) => names.map(({ segments }) => segments.join("/")),
  comparable: onlyValue,
});

function expectPathName(node: SourceNode, reporter: Reporter): PathName | null {
  const text = expectText(node, "a name in paths", reporter);
  const name = text === null ? null : parsePathName(text);
  if (text === null || name !== null) return name;
  return refuse("policy/invalid-path", node, reporter, {
    message: `${quoteShort(text)} is not a name in a path`,
    expected:
      "a name such as .env or id_rsa, or names such as .git/hooks; * stands for any characters of a name",
    fix: fixName(text),
  });
}

function fixName(text: string): string {
  const inner = text.replace(/^(?:\*\*)?\/+/, "").replace(/\/+(?:\*\*)?$/, "");
  if (inner !== text && parsePathName(inner) !== null) return `write ${inner}: a name is found at any depth`;
  if (text.includes("\\")) return "write / between names";
  return "write the name as it stands between two slashes, in ASCII";
}
