import { SMALL_BODY_BYTES } from "./limits.ts";

/** The serving thread decides small calls. A thread of their own parses large calls, which take turns. */
export type CallSize = "small" | "large";

export function sizeOf(bytes: number): CallSize {
  return bytes <= SMALL_BODY_BYTES ? "small" : "large";
}
