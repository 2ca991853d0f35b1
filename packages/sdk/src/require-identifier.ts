import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import { foundValue } from "./found-value.ts";

/** @throws TypeError that names the field */
export function requireIdentifier(field: string, value: unknown): void {
  if (typeof value !== "string" || !isIdentifier(value))
    throw new TypeError(`${field}: expected ${IDENTIFIER_EXPECTATION}, found ${foundValue(value)}`);
}

/** @throws TypeError that names the field, unless it was left out */
export function requireOptionalIdentifier(field: string, value: unknown): void {
  if (value !== undefined) requireIdentifier(field, value);
}
