import { join } from "node:path";

/** The binary `svc-cli`. */
export const CLI_ENTRY = join(import.meta.dirname, "..", "..", "..", "packages", "cli", "dist", "main.js");
