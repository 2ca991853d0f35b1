import { randomBytes } from "node:crypto";

/** Random bytes of an identifier: 128 bits do not repeat and cannot be guessed. */
const ID_BYTES = 16;

/** `<prefix>_` and 32 hexadecimal digits. */
export const randomId = (prefix: string): string => `${prefix}_${randomBytes(ID_BYTES).toString("hex")}`;
