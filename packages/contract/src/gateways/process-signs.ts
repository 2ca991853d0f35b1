import { z } from "zod";

/** Policies that a process names, as count. More than that need no alert of their own. */
export const MAX_UNLOADABLE_SIGNS = 20;

/** A fault that went on without a pause of a minute, as its process measured it. */
const episodeSchema = z.object({
  /** Milliseconds from its first occurrence to its last. */
  lasted_ms: z.number(),
  /** Milliseconds since the last. */
  idle_ms: z.number(),
});

export type FaultEpisode = Readonly<z.output<typeof episodeSchema>>;

/**
 * What a process says of its own health to the process that leads. Another version may write it: what that
 * one does not know has a default, and what this one does not know is passed over.
 */
export const processSignsSchema = z.object({
  /** Denies by a fault, by reason code. */
  fail_closed: z.record(z.string(), episodeSchema).default({}),
  /** Checkpoints that could not be written; null: none lately. */
  checkpoints: episodeSchema.nullable().default(null),
  /** Free share of the disk of its data directory, as a ratio; null: not known. */
  disk_free: z.number().nullable().default(null),
  /** Milliseconds that the audit index is behind; null: this process does not fill it. */
  index_lag_ms: z.number().nullable().default(null),
  /** Policies that it cannot load, at most `MAX_UNLOADABLE_SIGNS`. */
  unloadable: z
    .array(z.object({ org: z.string(), policy_id: z.string(), detail: z.string() }))
    .readonly()
    .default([]),
});

export type ProcessSigns = Readonly<z.output<typeof processSignsSchema>>;
