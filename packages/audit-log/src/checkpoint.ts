import { parseBase64, renderBase64 } from "./base64.ts";
import type { NoteSigner, VerifierKey } from "./note-key.ts";
import { HASH_BYTES } from "./row-hash.ts";
import { parseNote, signNote, verifyNote } from "./signed-note.ts";

const ORIGIN_PREFIX = "svc-audit/";

/**
 * How far a log reached when somebody signed it: the first `size` rows, the last of which has `hash`
 * (the genesis hash when `size` is 0). Every hash covers all rows before it.
 */
export interface Checkpoint {
  readonly logId: string;
  readonly size: number;
  readonly hash: Uint8Array;
}

/** What signs checkpoints. */
export type CheckpointSigner = NoteSigner;

/** Never treat anything but `valid` as evidence. */
export type CheckpointVerdict =
  | { readonly kind: "valid"; readonly checkpoint: Checkpoint }
  | { readonly kind: "malformed" | "unknown_key" | "bad_signature" };

/**
 * A C2SP signed note over three lines: `svc-audit/<log id>`, the number of rows, the head hash in base64.
 * Throws RangeError when the head cannot be written down that way.
 */
export function signCheckpoint(signer: CheckpointSigner, head: Checkpoint): string {
  const text = `${ORIGIN_PREFIX}${head.logId}\n${head.size}\n${renderBase64(head.hash)}\n`;
  if (parseText(text) === null) throw new RangeError(`no head of a log: ${JSON.stringify(text)}`);
  return signNote(signer, text);
}

/** The content of a checkpoint, without a check of its signature. Null if the text is not a checkpoint. */
export function parseCheckpoint(note: string): Checkpoint | null {
  const signed = parseNote(note);
  return signed === null ? null : parseText(signed.text);
}

/** Whether one of the keys has signed a checkpoint. Pass retired keys too: what they signed stays valid. */
export function verifyCheckpoint(note: string, keys: readonly VerifierKey[]): CheckpointVerdict {
  const signed = parseNote(note);
  const checkpoint = signed === null ? null : parseText(signed.text);
  if (signed === null || checkpoint === null) return { kind: "malformed" };
  const trust = verifyNote(signed, keys);
  return trust === "trusted" ? { kind: "valid", checkpoint } : { kind: trust };
}

function parseText(text: string): Checkpoint | null {
  const match = /^svc-audit\/([^\s\p{Cc}]+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]+=*)\n$/u.exec(text);
  if (match === null) return null;
  const [, logId = "", digits = "", encoded = ""] = match;
  const size = Number(digits);
  const hash = parseBase64(encoded);
  if (!Number.isSafeInteger(size) || hash?.length !== HASH_BYTES) return null;
  return { logId, size, hash };
}
