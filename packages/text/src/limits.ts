/** The limits of the texts that are read here. All others stand with the contract. */

/** Largest request body in bytes. Parsing 256 KiB of hostile JSON stays below about 30 ms of one core. */
export const MAX_BODY_BYTES = 256 * 1024;

/** Deepest nesting of a JSON document, in levels. Deeper input would exhaust recursive consumers' stacks. */
export const MAX_JSON_DEPTH = 64;

/** Largest cost of one call or ceiling in micro-USD (1 billion USD): sums stay far below 2^53. */
export const MAX_COST_MICRO_USD = 1_000_000_000_000_000;
