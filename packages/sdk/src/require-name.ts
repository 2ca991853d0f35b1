import { isName, NAME_EXPECTATION, nameFault } from "@svc/contract/name";
import { foundValue } from "./found-value.ts";

/** @throws TypeError that names the field */
export function requireName(field: string, value: unknown): void {
  if (typeof value !== "string" || !isName(value)) throw new TypeError(`${field}: ${refusedName(value)}`);
}

/** @throws TypeError that names the field, unless it was left out */
export function requireOptionalName(field: string, value: unknown): void {
  if (value !== undefined) requireName(field, value);
}

/** What was expected, what came, and what to write. */
export function refusedName(value: unknown): string {
  const fault = typeof value === "string" ? nameFault(value) : null;
  return `expected ${NAME_EXPECTATION}, found ${foundValue(value)}${fault === null ? "" : `: ${fault}`}`;
}
