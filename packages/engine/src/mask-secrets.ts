import { digestOfText } from "@svc/text/digest-of";
import type { JsonObject } from "@svc/text/json-value";
import { detect, mayDetectSecret, replaceDetected } from "./detectors/detect.ts";
import { type DetectorName, SECRET_DETECTORS } from "./detectors/detector.ts";
import { announcesSecret, isSecretValue } from "./detectors/generic-api-key.ts";
import { rewriteMembers } from "./rewrite-strings.ts";

/** Hexadecimal digits of a digest that stand for a masked identifier: 128 bits, so no two ever meet. */
const DIGEST_DIGITS = 32;
const DIGEST_PREFIX = "sha256:";

/**
 * The arguments as the audit log may keep them: whatever a `secret.*` detector finds is replaced by
 * `[masked:<detector>]`, in values and in names of members. `canonicalText` is the canonical JSON of `args`;
 * when it holds nothing that a detector could begin with, the same object comes back at once.
 */
export function maskSecrets(args: JsonObject, canonicalText: string): JsonObject {
  if (!mayHoldSecret(canonicalText)) return args;
  return rewriteMembers(args, { rewrite: maskString, announces: announcesSecret });
}

/** Whether a secret detector may find something in the text; false is certain. */
export function mayHoldSecret(text: string): boolean {
  return mayDetectSecret(text);
}

/** A sentence as the audit log may keep it; the same text when it holds no secret. */
export function maskSecretsInText(text: string): string {
  return mayHoldSecret(text) ? maskString(text, false) : text;
}

/**
 * An identifier as the audit log and the ledger may keep it. A secret in it becomes
 * `[masked:<detector>:<digest>]`, so that equal identifiers stay equal and different ones different. No
 * identifier of a request looks so.
 */
export function maskSecretsInIdentifier(identifier: string): string {
  if (!mayHoldSecret(identifier)) return identifier;
  return replaceDetected(identifier, SECRET_DETECTORS, (found, detector) => {
    const digest = digestOfText(found).slice(DIGEST_PREFIX.length, DIGEST_PREFIX.length + DIGEST_DIGITS);
    return `[masked:${detector}:${digest}]`;
  });
}

function maskString(text: string, isAnnounced: boolean): string {
  if (isAnnounced && isSecretValue(text)) {
    return maskOf(detect(text, SECRET_DETECTORS)[0]?.detector ?? "secret.generic_api_key");
  }
  return replaceDetected(text, SECRET_DETECTORS, (_found, detector) => maskOf(detector));
}

function maskOf(detector: DetectorName): string {
  return `[masked:${detector}]`;
}
