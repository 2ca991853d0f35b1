import { SMALL_BODY_BYTES } from "./limits.ts";

/** Small calls are decided in the serving thread, large ones in turns with a thread of their own. */
export type CallSize = "small" | "large";

export function sizeOf(bytes: number): CallSize {
  return bytes <= SMALL_BODY_BYTES ? "small" : "large";
}
