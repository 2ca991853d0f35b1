import { findProgram } from "@svc/process/find-program";
import { autocannonGenerator } from "./autocannon.ts";
import type { LoadGenerator } from "./load-generator.ts";
import { wrkGenerator } from "./wrk.ts";

/** wrk when this machine has it, else what comes with the workspace. */
export function findGenerator(): LoadGenerator {
  const wrk = findProgram("wrk");
  return wrk === null ? autocannonGenerator : wrkGenerator(wrk);
}
