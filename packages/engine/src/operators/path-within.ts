import { type PathBase, parsePathBase, pathWithin, type Within } from "../evaluate/path-within.ts";
import { PATH_WEIGHT } from "../evaluate/text-work.ts";
import type { Truth } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectText, refuse } from "../validate/expect.ts";
import { expectOneOrMore } from "../validate/expect-value.ts";
import { onlyValue } from "./comparable-values.ts";
import { defineOperator, type Judge } from "./operator.ts";

export const pathWithinOperator = defineOperator<readonly PathBase[]>({
  name: "path_within",
  judges: ["args"],
  validate: ({ value }, reporter) => expectOneOrMore(value, (item) => expectBase(item, reporter), reporter),
  compile: (bases): Judge => {
    const weight = PATH_WEIGHT * bases.length;
    return (value, work) => {
      if (typeof value !== "string") return "unsure";
      return work.spend(value.length, weight) ? WITHIN[pathWithin(value, bases)] : "unread";
    };
  },
  show: (bases) => bases.map(({ absolute, segments }) => `${absolute ? "/" : ""}${segments.join("/")}`),
  comparable: onlyValue,
});

const WITHIN: { readonly [within in Within]: Truth } = {
  inside: "holds",
  outside: "fails",
  unsure: "unsure",
};

function expectBase(node: SourceNode, reporter: Reporter): PathBase | null {
  const text = expectText(node, "a folder", reporter);
  const base = text === null ? null : parsePathBase(text);
  if (text === null || base !== null) return base;
  return refuse("policy/invalid-path", node, reporter, {
    message: `${quoteShort(text)} is not a plain folder`,
    expected:
      "a path such as /srv/data or reports/2026, without .., backslashes, % codes, ~ or a drive letter",
    fix: "write the folder as it is after resolving, with forward slashes, such as /srv/data",
  });
}
