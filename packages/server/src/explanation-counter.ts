import type { ExplanationResult } from "@svc/control-plane/ports";
import { Counter, type Registry } from "prom-client";

/** Counts explanations of recorded decisions by whether the decision was reached again. */
export function explanationCounter(registry: Registry): (result: ExplanationResult) => void {
  const counter = new Counter({
    name: "svc_decision_explanations_total",
    help: "Recorded decisions that were made again, by whether the result was the same",
    labelNames: ["result"],
    registers: [registry],
  });
  return (result) => counter.inc({ result });
}
