import type { JsonFault } from "@svc/text/strict-json";
import { type Problem, type ProblemEntry, problem } from "./problem.ts";

/** The refusal of a body that is not strict JSON. */
export function malformedProblem({ expected, found, line, column }: JsonFault): Problem {
  const where = `line ${String(line)}, column ${String(column)}`;
  return problem("malformed_json", `${where}: expected ${expected}, found ${found}`);
}

/** The refusal of a body that does not have the expected form. */
export function invalidProblem(errors: readonly ProblemEntry[]): Problem {
  const detail = errors.map(
    ({ pointer, expected, found, fix }) =>
      `${pointer || "the body"}: expected ${expected}, found ${found}${fix === undefined ? "" : ` (${fix})`}`,
  );
  return problem("invalid_request", detail.join("; "), { errors });
}
