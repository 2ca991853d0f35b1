import { MAX_DATA_LENGTH, MAX_MODULE_LENGTH } from "./rego-limits.ts";
import type { RegoCheck, RegoModule } from "./rego-module.ts";
import { tooLarge } from "./render-problems.ts";

/** Null: the module and its data are within the limits. */
export function refuseSize({ text, data }: RegoModule): RegoCheck | null {
  if (text.length > MAX_MODULE_LENGTH) return tooLarge("module", text.length, MAX_MODULE_LENGTH);
  const { length } = JSON.stringify(data);
  return length > MAX_DATA_LENGTH ? tooLarge("data", length, MAX_DATA_LENGTH) : null;
}
