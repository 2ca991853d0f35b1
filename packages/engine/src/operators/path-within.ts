import { ABSOLUTE_BASE_PATTERN, PATH_BASE_PATTERN } from "../evaluate/path-base-grammar.ts";
import { type PathBase, parsePathBase, pathWithin, type Within } from "../evaluate/path-within.ts";
import { PATH_WEIGHT } from "../evaluate/text-work.ts";
import type { Truth } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { textDefinition } from "../validate/definitions.ts";
import { expectText, refuse } from "../validate/expect.ts";
import { expectOneOrMore, oneOrMoreSchema } from "../validate/expect-value.ts";
import { exclusive } from "../validate/json-schema.ts";
import { onlyValue } from "./comparable-values.ts";
import { defineOperator, type Judge, type OperandSource, type PairJudge } from "./operator.ts";

export interface PathOperand {
  readonly bases: readonly PathBase[];
  /** Where relative paths begin; null when the condition does not say. */
  readonly start: PathBase | null;
}

export const pathWithinOperator = defineOperator<PathOperand>({
  name: "path_within",
  judges: ["args"],
  summary: "is a path inside one of the folders, or one of the folders itself",
  keys: {
    base: { type: "string", pattern: ABSOLUTE_BASE_PATTERN },
    base_field: textDefinition("field_path"),
  },
  relations: exclusive(["base", "base_field"]),
  validate: validatePaths,
  valueSchema: () => oneOrMoreSchema({ type: "string", pattern: PATH_BASE_PATTERN }),
  compile: ({ bases, start }): Judge => {
    const weight = PATH_WEIGHT * bases.length;
    return (value, work) => {
      if (typeof value !== "string") return "unsure";
      return work.spend(value.length, weight) ? WITHIN[pathWithin(value, bases, start)] : "unread";
    };
  },
  compileAgainst: (): PairJudge => (value, folder, work) => {
    if (typeof value !== "string" || typeof folder !== "string") return "unsure";
    if (!work.spend(value.length + folder.length, PATH_WEIGHT)) return "unread";
    const base = parsePathBase(folder);
    return base === null ? "unsure" : WITHIN[pathWithin(value, [base])];
  },
  beside: {
    key: "base_field",
    compile: ({ bases }): PairJudge => {
      const weight = PATH_WEIGHT * bases.length;
      return (value, folder, work) => {
        if (typeof value !== "string" || typeof folder !== "string") return "unsure";
        if (!work.spend(value.length + folder.length, weight)) return "unread";
        const start = parsePathBase(folder);
        return isStart(start) ? WITHIN[pathWithin(value, bases, start)] : "unsure";
      };
    },
  },
  show: ({ bases, start }) => {
    const folders = bases.map(shownBase);
    return start === null ? folders : { value: folders, base: shownBase(start) };
  },
  comparable: onlyValue,
});

/** The folder as a policy writes it. */
export function shownBase({ absolute, segments, isFileUrl }: PathBase): string {
  return `${isFileUrl === true ? "file://" : ""}${absolute ? "/" : ""}${segments.join("/")}`;
}

function validatePaths({ value, members }: OperandSource, reporter: Reporter): PathOperand | null {
  const bases = expectOneOrMore(value, (item) => expectBase(item, reporter), reporter);
  const [startNode, fieldNode] = [members.get("base"), members.get("base_field")];
  if (startNode !== undefined && fieldNode !== undefined) {
    return refuse("policy/conflicting-keys", fieldNode, reporter, {
      message: "base_field cannot be combined with base",
      expected: "base or base_field",
      fix: "remove base to read the folder from the argument, or remove base_field to name it here",
    });
  }
  const key = startNode === undefined ? "base_field" : "base";
  const start = startNode === undefined ? null : expectStart(startNode, reporter);
  if (bases === null || (startNode !== undefined && start === null)) return null;
  const node = startNode ?? fieldNode;
  const folder = start === null ? "/srv" : shownBase(start);
  if (node === undefined || bases.every(({ absolute }) => absolute)) return { bases, start };
  return refuse("policy/conflicting-keys", node, reporter, {
    message: `${key} says where relative paths begin, and a folder of value is relative itself`,
    expected: `absolute folders in value, or no ${key}`,
    fix: `write each folder of value from the root, such as ${folder}/out`,
  });
}

function expectStart(node: SourceNode, reporter: Reporter): PathBase | null {
  const start = expectBase(node, reporter);
  if (start === null || isStart(start)) return start;
  return refuse("policy/invalid-path", node, reporter, {
    message: "base must be an absolute folder",
    expected: "a path from the root, such as /srv/work",
    fix: "write the folder from the root in which the tool resolves relative paths",
  });
}

/** Relative paths begin in a folder from the root. */
function isStart(folder: PathBase | null): folder is PathBase {
  return folder?.absolute === true && folder.isFileUrl !== true;
}

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
      "a path such as /srv/data or reports/2026, without .., backslashes, % codes, ~ or a drive letter; " +
      "or a URL such as file:///srv/data",
    fix: "write the folder as it is after resolving, with forward slashes, such as /srv/data",
  });
}
