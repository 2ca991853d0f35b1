import { InvalidArgumentError } from "commander";

/** A version of a policy. @throws InvalidArgumentError */
export function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("expected a version number from 1.");
  return Number(text);
}
