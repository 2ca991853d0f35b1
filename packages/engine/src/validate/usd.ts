import type { JsonObject } from "@svc/text/json-value";
import { MAX_COST_MICRO_USD } from "@svc/text/limits";
import { MICRO_USD_PER_USD, parseUsd, USD_EXPECTATION, USD_PATTERN } from "@svc/text/usd";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { refuse } from "./expect.ts";
import { expectPlainNumber } from "./numbers.ts";

/** Of what people write: the amount without a currency, and with a point. */
function fixAmount(node: SourceNode): string {
  const written = node.kind === "scalar" ? node.text.trim() : "";
  const plain = written
    .replaceAll(/^(?:[$\u20ac\u00a3]|USD)\s*|\s*(?:[$\u20ac\u00a3]|USD|EUR)$/gi, "")
    .replace(/^([0-9]+),([0-9]+)$/, "$1.$2");
  if (plain === written || parseUsd(plain) === null)
    return "write an amount such as 2.50, with at most 6 decimals";
  const point = written.includes(",") ? "a point instead of the comma" : null;
  const bare = /[^0-9,.]/.test(written) ? "no currency" : null;
  return `write ${[point, bare].filter((part) => part !== null).join(" and ")}: ${plain}`;
}

export const USD_SCHEMA: JsonObject = {
  anyOf: [
    { type: "number", minimum: 0, maximum: MAX_COST_MICRO_USD / MICRO_USD_PER_USD },
    { type: "string", pattern: USD_PATTERN },
  ],
};

/** A decimal amount of USD, as number or text, as integer micro-USD. */
export function expectUsd(node: SourceNode, reporter: Reporter): number | null {
  const isNumber = node.kind === "scalar" && typeof node.value === "number";
  if (isNumber && expectPlainNumber(node, reporter) === null) return null;
  const microUsd = node.kind === "scalar" ? parseUsd(node.value) : null;
  if (microUsd !== null) return microUsd;
  return refuse("policy/invalid-number", node, reporter, {
    message: "this is not an amount of USD",
    expected: USD_EXPECTATION,
    fix: fixAmount(node),
  });
}
