import type { GovernedCall } from "../evaluation.ts";
import type { TextWork } from "./text-work.ts";
import type { Truth } from "./truth.ts";

/** What one question says of a call. Takes what it searches from `work`. */
export type CompiledQuestion = (call: GovernedCall, work: TextWork) => Truth;
