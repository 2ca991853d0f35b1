import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder that holds the shipped configurations: sources and bundles lie at different depths below it. */
export const CHECKOUT = findCheckout(import.meta.dirname);

function findCheckout(start: string): string {
  if (existsSync(join(start, "envoy", "envoy.yaml"))) return start;
  const parent = dirname(start);
  if (parent === start) throw new Error("demonstration: expected a folder envoy with envoy.yaml, found none");
  return findCheckout(parent);
}
