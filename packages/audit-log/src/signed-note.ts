import { sign, verify } from "node:crypto";
import { parseBase64, renderBase64 } from "./base64.ts";
import { KEY_ID_BYTES, type NoteSigner, type VerifierKey } from "./note-key.ts";

/** Longest note that is read, in UTF-16 units: a checkpoint and the signatures of a few keys need a tenth. */
const MAX_CHECKPOINT_NOTE_LENGTH = 10_000;

const SIGNATURE_PREFIX = "\u2014 ";

/** A note's text, which ends with a newline, and the signatures below it. Nothing of it has been verified. */
export interface SignedNote {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** `unknown_key`: no given key has signed it. `bad_signature`: a signature in a given key's name is false. */
export type NoteTrust = "trusted" | "unknown_key" | "bad_signature";

/** The C2SP signed note of a text that ends with a newline. */
export function signNote(signer: NoteSigner, text: string): string {
  const { name, id } = signer.verifier;
  const signature = sign(null, Buffer.from(text), signer.privateKey);
  const encoded = renderBase64(Buffer.concat([Buffer.from(id, "hex"), signature]));
  return `${text}\n${SIGNATURE_PREFIX}${name} ${encoded}\n`;
}

/** Takes a note apart; null when it is not one, or longer than a note of its kind may be. */
export function parseNote(note: string, maxLength = MAX_CHECKPOINT_NOTE_LENGTH): SignedNote | null {
  if (note.length > maxLength || !note.isWellFormed()) return null;
  const blankLine = note.lastIndexOf("\n\n");
  if (blankLine < 0 || !note.endsWith("\n")) return null;
  const lines = note.slice(blankLine + 2, -1).split("\n");
  const signatures = lines.map(parseSignature).filter((signature) => signature !== null);
  if (signatures.length !== lines.length) return null;
  return { text: note.slice(0, blankLine + 1), signatures };
}

/** Whether at least one of the keys has signed the note. Signatures of other keys are left out. */
export function verifyNote(note: SignedNote, keys: readonly VerifierKey[]): NoteTrust {
  const text = Buffer.from(note.text);
  let trust: NoteTrust = "unknown_key";
  for (const { name, keyId, signature } of note.signatures) {
    const key = keys.find((candidate) => candidate.name === name && candidate.id === keyId);
    if (key === undefined) continue;
    if (!verify(null, text, key.publicKey, signature)) return "bad_signature";
    trust = "trusted";
  }
  return trust;
}

/** Longest name of a key that is repeated from a note that nobody trusts, in UTF-16 units. */
const MAX_SHOWN_NAME = 64;

/** The keys that a note names as its signers, `<name>+<id>`. Nothing of it has been verified. */
export function signersOf({ signatures }: SignedNote): readonly string[] {
  return signatures.map(({ name, keyId }) => `${name.slice(0, MAX_SHOWN_NAME)}+${keyId}`);
}

function parseSignature(line: string): NoteSignature | null {
  if (!line.startsWith(SIGNATURE_PREFIX)) return null;
  const [name = "", encoded = "", ...rest] = line.slice(SIGNATURE_PREFIX.length).split(" ");
  const bytes = parseBase64(encoded);
  if (name === "" || bytes === null || bytes.length <= KEY_ID_BYTES || rest.length > 0) return null;
  return {
    name,
    keyId: Buffer.from(bytes.subarray(0, KEY_ID_BYTES)).toString("hex"),
    signature: bytes.subarray(KEY_ID_BYTES),
  };
}
