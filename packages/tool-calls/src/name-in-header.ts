import { isUtf8 } from "node:buffer";
import { isName, NAME_EXPECTATION, nameFault } from "@svc/contract/name";
import { malformed, ok, type Result } from "./result.ts";

/**
 * Printable ASCII without commas. Servers on the way decode other bytes differently, and join the values of a
 * repeated header with a comma.
 */
const PRINTABLE = /^[\x20-\x2b\x2d-\x7e]+$/;
const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/;

/**
 * The name in the value of a header, which is percent-decoded exactly once: `%C3%A9` is `é`, and `%25` is a
 * percent sign.
 * @param where names the header, for the reason of a deny
 */
export function nameInHeader(where: string, value: string): Result<string> {
  if (!PRINTABLE.test(value))
    return malformed(where, ENCODED, value === "" ? "nothing" : "a comma or other bytes");
  const name = value.includes("%") ? decoded(value) : value;
  if (name === null) return malformed(where, ENCODED, "a percent sign that begins no such byte");
  if (isName(name)) return ok(name);
  return malformed(where, NAME_EXPECTATION, `a text that is not: ${nameFault(name) ?? ""}`);
}

const ENCODED =
  "printable ASCII without commas, with other bytes of UTF-8 percent-encoded, %2C for a comma and %25 for " +
  "a percent sign";

/** A name as the value of a header, for `nameInHeader`. */
export function headerOfName(name: string): string {
  return name.replaceAll(/[^\x20-\x24\x26-\x2b\x2d-\x7e]+/gu, encodeURIComponent);
}

function decoded(value: string): string | null {
  if (STRAY_PERCENT.test(value)) return null;
  const bytes = Buffer.from(
    value.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, octet: string) =>
      String.fromCharCode(Number.parseInt(octet, 16)),
    ),
    "latin1",
  );
  return isUtf8(bytes) ? bytes.toString("utf8") : null;
}
