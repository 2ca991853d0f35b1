import { parseUnsteady, UNSTEADY_LIST } from "../unsteady.ts";
import type { Rule } from "./finding.ts";

/** The list of unsteady files is short, and none of its entries has expired. */
export function unsteadyListRule(paths: readonly string[], nowMs: number): Rule {
  const exists = (path: string): boolean => paths.includes(path);
  return ({ path, lines }) =>
    path === UNSTEADY_LIST ? parseUnsteady(lines.join("\n"), { nowMs, exists }).findings : [];
}
