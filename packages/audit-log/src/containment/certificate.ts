import {
  type ContainmentCertificate,
  containmentCertificateSchema,
  contradictionIn,
} from "@svc/contract/containment-certificate";
import { canonicalJson } from "@svc/text/canonical-json";
import { parseStrictJson } from "@svc/text/strict-json";
import type { NoteSigner, VerifierKey } from "../note-key.ts";
import { parseNote, signersOf, signNote, verifyNote } from "../signed-note.ts";

const ORIGIN_PREFIX = "svc-containment/";

/** Longest certificate in UTF-16 units, signatures included: some 3,000 gateways. */
export const MAX_CERTIFICATE_LENGTH = 1024 * 1024;

/**
 * `malformed`: it is not a certificate, or not a whole one, and nothing is known about its signature.
 * `unknown_key`: no given key has signed it; `neededKeys` are those that it names, as `<name>+<id>`.
 * `contradictory`: a given key has signed it, and `why` says what in it cannot be. Never treat anything but
 * `valid` as evidence.
 */
export type CertificateVerdict =
  | { readonly kind: "valid"; readonly certificate: ContainmentCertificate }
  | { readonly kind: "malformed" | "contradictory"; readonly why: string }
  | { readonly kind: "unknown_key"; readonly neededKeys: readonly string[] }
  | { readonly kind: "bad_signature" };

/**
 * A C2SP signed note over two lines: `svc-containment/<kill switch id>`, and the certificate as canonical
 * JSON (RFC 8785). Throws RangeError when the certificate cannot be written down that way.
 */
export function signCertificate(signer: NoteSigner, certificate: ContainmentCertificate): string {
  const json = canonicalJson(certificate);
  const note = signNote(signer, `${ORIGIN_PREFIX}${certificate.kill_switch_id}\n${json}\n`);
  const verdict = verifyCertificate(note, [signer.verifier]);
  if (verdict.kind !== "valid")
    throw new RangeError(`not a certificate: ${"why" in verdict ? verdict.why : verdict.kind}`);
  return note;
}

/** Whether one of the keys has signed a certificate. Pass retired keys too: what they signed stays valid. */
export function verifyCertificate(note: string, keys: readonly VerifierKey[]): CertificateVerdict {
  const signed = parseNote(note, MAX_CERTIFICATE_LENGTH);
  if (signed === null)
    return malformed("expected a signed note: two lines, an empty line and a signature; the file may be cut");
  const [origin = "", json = "", ...rest] = signed.text.slice(0, -1).split("\n");
  if (!origin.startsWith(ORIGIN_PREFIX))
    return malformed(`expected the first line to begin with ${ORIGIN_PREFIX}`);
  const trust = verifyNote(signed, keys);
  if (trust === "unknown_key") return { kind: trust, neededKeys: signersOf(signed) };
  if (trust !== "trusted") return { kind: trust };
  if (rest.length > 0) return contradictory(`expected two lines of text, found ${String(rest.length + 2)}`);
  return readSigned(origin, json);
}

/** Takes only what the canonical writer writes. Each certificate then has one spelling. */
function readSigned(origin: string, json: string): CertificateVerdict {
  const read = parseStrictJson(Buffer.from(json), MAX_CERTIFICATE_LENGTH * 3);
  if (!read.ok) return contradictory(`its JSON: expected ${read.fault.expected}, found ${read.fault.found}`);
  const parsed = containmentCertificateSchema.safeParse(read.value);
  if (!parsed.success) return contradictory(firstIssue(parsed.error.issues));
  const certificate = parsed.data;
  if (canonicalJson(read.value) !== json) return contradictory("its JSON is not canonical (RFC 8785)");
  if (origin !== ORIGIN_PREFIX + certificate.kill_switch_id)
    return contradictory("the first line names another kill switch than the JSON");
  const found = contradictionIn(certificate);
  return found === null ? { kind: "valid", certificate } : contradictory(found);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function firstIssue([issue]: readonly Issue[]): string {
  return issue === undefined ? "unreadable" : `${issue.path.map(String).join(".")}: ${issue.message}`;
}

function malformed(why: string): CertificateVerdict {
  return { kind: "malformed", why };
}

function contradictory(why: string): CertificateVerdict {
  return { kind: "contradictory", why };
}
