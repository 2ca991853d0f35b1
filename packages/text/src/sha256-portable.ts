import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { utf8Bytes } from "./utf8.ts";

/** The same functions as in `sha256-node.ts`, for runtimes that are not Node. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8Bytes(text)));
}

export function hmacSha256(innerPad: Uint8Array, outerPad: Uint8Array): (text: string) => string {
  return (text) => bytesToHex(digest(concatBytes(outerPad, digest(concatBytes(innerPad, utf8Bytes(text))))));
}
