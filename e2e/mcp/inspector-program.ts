import { existsSync } from "node:fs";
import { join } from "node:path";

const INSPECTOR = join("node_modules", "@modelcontextprotocol", "inspector");

/** What Node runs, where the test runner puts it. */
export const inspectorProgram = join(
  join(import.meta.dirname, "..", "..", ".tools", "inspector", INSPECTOR),
  join("clients", "launcher", "build", "index.js"),
);

export const hasInspector = existsSync(inspectorProgram);
