import type { JsonValue } from "@svc/text/json-value";
import { listOf, type Node, some, type Truth, textOf } from "./naive-values.suite.ts";

/** What operators say of a value, read word by word. */

export function compare(operator: string, found: JsonValue, value: JsonValue, node: Node): Truth {
  const [first] = listOf(value);
  const folds = node["ignore_case"] === true;
  const isText = typeof found === "string";
  switch (operator) {
    case ">":
    case ">=":
    case "<":
    case "<=":
      if (typeof found !== "number" || typeof value !== "number") return "unsure";
      return { ">": found > value, ">=": found >= value, "<": found < value, "<=": found <= value }[operator];
    case "==":
    case "in":
      if (typeof found !== typeof first || typeof found === "object") return "unsure";
      return some(listOf(value).map((one) => texts(found, one, folds, (left, right) => left === right)));
    case "!=":
    case "not_in": {
      const truth = compare("in", found, value, node);
      return typeof truth === "boolean" ? !truth : truth;
    }
    case "starts_with":
      return isText ? some(listOf(value).map((one) => texts(found, one, folds, begins))) : "unsure";
    case "ends_with":
      return isText ? some(listOf(value).map((one) => texts(found, one, folds, ends))) : "unsure";
    case "matches":
    case "matches_all":
      return isText ? searches(operator, found, value, folds) : "unsure";
    case "contains":
      return some(listOf(value).map((one) => contains(found, one, folds)));
    case "detects":
      return typeof found === "boolean" || found === null ? "unsure" : detects(found, value);
    case "path_within":
      return isText ? within(found, textOf(first)) : "unsure";
    case "only_names":
      return onlyNames(found, listOf(value));
    default:
      throw new Error(`the interpreter knows no operator ${operator}`);
  }
}

type Compare = (left: string, right: string) => boolean;
const begins: Compare = (left, right) => left.startsWith(right);
const ends: Compare = (left, right) => left.endsWith(right);
const includes: Compare = (left, right) => left.includes(right);

const all = (text: string): string => text.toUpperCase().toLowerCase();
/** The case of a Turkish i, and that of a sharp s. */
const rare = (text: string): string => all(text.replace(/[\u0130\u0131]/g, "i").replace(/\u1e9e/g, "ss"));

/** Ignoring the case of ASCII letters, that of all letters and that of rare ones must say the same. */
function texts(left: JsonValue, right: JsonValue, folds: boolean, holds: Compare): Truth {
  if (typeof left !== "string" || typeof right !== "string") return left === right;
  if (!folds) return holds(left, right);
  const ascii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return alike([ascii, all, rare].map((fold) => holds(fold(left), fold(right))));
}

function alike(answers: readonly boolean[]): Truth {
  return answers.every((one) => one === answers[0]) ? answers[0] === true : "unsure";
}

/** The patterns of generated policies mean the same in JavaScript. */
function searches(operator: string, text: string, patterns: JsonValue, folds: boolean): Truth {
  const strange = text.replace(/[\u212a\u017f]/g, "\u0250");
  const readings = folds ? [text, strange, all(text), rare(text)] : [text];
  const found = (one: string): boolean =>
    listOf(patterns).some((pattern) =>
      new RegExp(
        operator === "matches" ? textOf(pattern) : `^(?:${textOf(pattern)})$`,
        folds ? "iu" : "u",
      ).test(one),
    );
  return alike(readings.map(found));
}

function contains(found: JsonValue, wanted: JsonValue, folds: boolean): Truth {
  if (typeof found === "string")
    return typeof wanted === "string" ? texts(found, wanted, folds, includes) : "unsure";
  if (!Array.isArray(found)) return "unsure";
  const items = found as JsonValue[];
  if (!folds && items.includes(wanted)) return true;
  if (items.some((item) => typeof item !== typeof wanted)) return "unsure";
  const parts = [...items, ...joined(items)].map((item) =>
    typeof item === "string" ? texts(item, wanted, folds, includes) : false,
  );
  return parts.some((part) => part !== false) ? "unsure" : false;
}

function joined(items: readonly JsonValue[]): string[] {
  const parts = items.filter((item) => typeof item === "string");
  return parts.length < 2 ? [] : [parts.join(""), parts.join(" ")];
}

/** What the tool takes for the object may stand below another name, also as a text. */
function onlyNames(found: JsonValue, names: readonly JsonValue[]): Truth {
  if (typeof found !== "object" || found === null || Array.isArray(found)) return "unsure";
  const listed = names.map((name) => textOf(name).replace(/^"(.*)"$/, "$1"));
  const others = Object.entries(found as Node).filter(([name]) => !listed.includes(name));
  if (others.length === 0) return true;
  return others.some(([, one]) => standsIn(one, names)) ? "unsure" : false;
}

function standsIn(value: JsonValue, names: readonly JsonValue[]): boolean {
  if (Array.isArray(value)) return (value as JsonValue[]).some((one) => standsIn(one, names));
  if (typeof value === "string") return value.trim().startsWith("{");
  return typeof value === "object" && onlyNames(value, names) !== false && value !== null;
}

/** Every text below the value, and what is not a text or not one text. */
export function anywhere(node: Node, value: JsonValue): Truth {
  const operator = textOf(node["operator"]);
  if (operator === "detects") return detects(value, node["value"] ?? []);
  const folds = node["ignore_case"] === true;
  const judgeText = (text: string, wanted: JsonValue): Truth => {
    if (operator !== "contains") return searches(operator, text, wanted, folds);
    if (typeof wanted === "string") return texts(text, wanted, folds, includes);
    return text.includes(textOf(wanted)) ? "unsure" : false;
  };
  const doubt = (truth: Truth): Truth => (truth === true ? "unsure" : truth);
  return some(
    listOf(node["value"] ?? []).flatMap((wanted) =>
      partsOf(value).map((part): Truth => {
        if (part.kind === "text") return judgeText(part.text, wanted);
        if (part.kind === "joined") return doubt(judgeText(part.text, wanted));
        if (operator === "contains" && part.value === wanted) return true;
        return doubt(
          operator === "contains" ? part.text.includes(textOf(wanted)) : judgeText(part.text, wanted),
        );
      }),
    ),
  );
}

interface Part {
  readonly kind: "text" | "joined" | "other";
  readonly text: string;
  readonly value: JsonValue;
}

function partsOf(value: JsonValue): Part[] {
  if (typeof value === "string") return [{ kind: "text", text: value, value }];
  if (typeof value !== "object" || value === null) return [{ kind: "other", text: textOf(value), value }];
  if (Array.isArray(value)) {
    const items = value as JsonValue[];
    const whole = joined(items).map((text): Part => ({ kind: "joined", text, value: null }));
    return [...items.flatMap(partsOf), ...whole];
  }
  return Object.entries(value as Node).flatMap(([name, one]) => [...partsOf(name), ...partsOf(one)]);
}

/** `chk` and `seven` are detectors of the generated policies. */
const DETECTORS: { readonly [name: string]: RegExp } = {
  "pii.email": /[a-z]@[a-z]+\.[a-z]+/,
  "secret.jwt": /eyJ.+\..+\..+/,
  chk: /CHK-[0-9]+|de/,
  seven: /7/,
};

/** What a policy defines also finds numbers; no number is what the others look for. */
function detects(value: JsonValue, detectors: JsonValue): boolean {
  return listOf(detectors).some((name) => {
    const pattern = DETECTORS[textOf(name)] ?? /(?!)/;
    return partsOf(value).some(({ kind, text, value: part }) => {
      return (kind === "text" || typeof part === "number") && pattern.test(text);
    });
  });
}

/** Folders are `/srv` and `x`; paths hold plain names, and what a rule before this one redacted. */
function within(path: string, folder: string): Truth {
  const isAbsolute = path.startsWith("/");
  if (
    path === "" ||
    isAbsolute !== folder.startsWith("/") ||
    !/^(?:[\p{L}\w/.@*{}[\]-]|\[redacted:[\w.]+\])+$/u.test(path)
  )
    return "unsure";
  return path === folder || path.startsWith(`${folder}/`);
}
