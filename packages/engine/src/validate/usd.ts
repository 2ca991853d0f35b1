import { parseUsd, USD_EXPECTATION } from "@svc/contract/money";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { refuse } from "./expect.ts";
import { expectPlainNumber } from "./numbers.ts";

/** A decimal amount of USD, as number or text, as integer micro-USD. */
export function expectUsd(node: SourceNode, reporter: Reporter): number | null {
  const isNumber = node.kind === "scalar" && typeof node.value === "number";
  if (isNumber && expectPlainNumber(node, reporter) === null) return null;
  const microUsd = node.kind === "scalar" ? parseUsd(node.value) : null;
  if (microUsd !== null) return microUsd;
  return refuse("policy/invalid-number", node, reporter, {
    message: "this is not an amount of USD",
    expected: USD_EXPECTATION,
    fix: "write an amount such as 2.50",
  });
}
