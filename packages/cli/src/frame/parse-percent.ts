import { InvalidArgumentError } from "commander";

/** A share such as `1%` or `0.5`, in percent. @throws InvalidArgumentError */
export function parsePercent(text: string): number {
  const [, digits] = /^(\d{1,3}(?:\.\d+)?)%?$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === undefined || value > 100)
    throw new InvalidArgumentError("expected a number from 0 to 100, such as 1%.");
  return value;
}
