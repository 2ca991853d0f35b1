import { z } from "zod";

/** RFC 3339 in UTC with milliseconds, as every time in an answer is written. */
export const timestampSchema = z
  .string()
  .meta({ format: "date-time", examples: ["2026-11-22T09:41:07.123Z"] });
