import { MAX_IDENTIFIER_BYTES } from "../limits.ts";

/** A glob that some name matches. `*` stands for any run of characters, all else for itself. */
export const GLOB_PATTERN = `^[A-Za-z0-9_*][A-Za-z0-9._:@/*-]{0,${String(MAX_IDENTIFIER_BYTES - 1)}}$`;
