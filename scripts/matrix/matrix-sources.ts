import type { MatrixSource } from "./matrix-source.ts";
import { pythonSource } from "./python-source.ts";
import { typescriptSource } from "./typescript-source.ts";

/** Every language, in the order of the table. */
export const matrixSources: readonly MatrixSource[] = [pythonSource, typescriptSource];
