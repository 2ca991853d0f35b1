import type { ExplanationResult } from "@svc/control-plane/ports";
import { Counter, type Registry } from "prom-client";

const RESULTS: readonly ExplanationResult[] = ["agrees", "differs", "undecided"];

/** Counts explanations of recorded decisions by whether the decision was reached again. */
export function explanationCounter(registry: Registry): (result: ExplanationResult) => void {
  const counter = new Counter({
    name: "svc_decision_explanations_total",
    help: "Recorded decisions that were made again, by whether the result was the same",
    labelNames: ["result"],
    registers: [registry],
  });
  // An alarm on a counter needs its initial zero.
  for (const result of RESULTS) counter.inc({ result }, 0);
  return (result) => counter.inc({ result });
}
