import { randomBytes } from "node:crypto";
import type { NewId } from "./ports.ts";

/** Random bytes of an identifier: 128 bits never meet twice and cannot be guessed. */
const ID_BYTES = 16;

export const randomId: NewId = (prefix) => `${prefix}_${randomBytes(ID_BYTES).toString("hex")}`;
