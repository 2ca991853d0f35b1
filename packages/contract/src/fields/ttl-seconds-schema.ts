import { z } from "zod";
import { MAX_TTL_SECONDS, MIN_TTL_SECONDS } from "../limits.ts";

const TTL_EXPECTATION = `expected whole seconds from ${MIN_TTL_SECONDS} to ${MAX_TTL_SECONDS}`;

/** Seconds after which a containment ends by itself. Null, the default: it does not. */
export const ttlSecondsSchema = z
  .int({ error: TTL_EXPECTATION })
  .min(MIN_TTL_SECONDS, { error: TTL_EXPECTATION })
  .max(MAX_TTL_SECONDS, { error: TTL_EXPECTATION })
  .nullable()
  .default(null);
