import { parseHttpUrl } from "@svc/process/parsers";
import { InvalidArgumentError } from "commander";

/** The address of an option. @throws InvalidArgumentError */
export function parseAddress(text: string): string {
  try {
    return parseHttpUrl(text).href;
  } catch {
    throw new InvalidArgumentError("expected an http(s) address.");
  }
}
