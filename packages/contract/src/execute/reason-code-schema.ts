import { z } from "zod";
import { REASON_CODES } from "./verdict.ts";

/**
 * A reason code: a closed list in this version, and open in the document. A client that was generated before
 * a code was added must read an answer that has it.
 */
export const reasonCodeSchema = z
  .enum(REASON_CODES)
  .meta({ jsonSchema: { type: "string", "x-known-values": REASON_CODES } });
