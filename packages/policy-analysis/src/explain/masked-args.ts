import { BLOCKED, type FieldPath, MISSING, memberOf } from "@svc/engine/field-path";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";

/** How every mask of an audit row begins, be it a value or the name of a member. */
const MASK = "[masked";

/** Whether the text of a row's arguments may hold a mask; false is certain. */
export function mayHoldMask(text: string): boolean {
  return text.includes(MASK);
}

/**
 * Whether a mask stands for what a path leads to, or may hide it: a masked text on the way, a masked name
 * beside a member that is missing, or a mask anywhere below.
 */
export function isMaskedAt(args: JsonObject, { segments }: Pick<FieldPath, "segments">): boolean {
  let value: JsonValue = args;
  for (const segment of segments) {
    const next = memberOf(value, segment);
    if (next === MISSING || next === BLOCKED)
      return typeof value === "string" ? mayHoldMask(value) : hasMaskedName(value);
    value = next;
  }
  return holdsMask(value);
}

/** Whether nothing of the arguments was kept. */
export function isWhollyMasked(args: JsonObject): boolean {
  return Object.hasOwn(args, `${MASK}]`);
}

function hasMaskedName(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).some(mayHoldMask);
}

function holdsMask(value: JsonValue): boolean {
  if (typeof value === "string") return mayHoldMask(value);
  return typeof value === "object" && value !== null && mayHoldMask(JSON.stringify(value));
}
