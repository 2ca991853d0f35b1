import type { JsonObject } from "@svc/contract/json-value";
import { detect, mayDetect, replaceDetected } from "./detectors/detect.ts";
import { type DetectorName, SECRET_DETECTORS } from "./detectors/detector.ts";
import { isAnnouncedSecret } from "./detectors/generic-api-key.ts";
import { rewriteMembers } from "./rewrite-strings.ts";

/**
 * The arguments as the audit log may keep them: whatever a `secret.*` detector finds is replaced by
 * `[masked:<detector>]`, in values and in names of members. `canonicalText` is the canonical JSON of `args`;
 * when it holds nothing that a detector could begin with, the same object comes back at once.
 */
export function maskSecrets(args: JsonObject, canonicalText: string): JsonObject {
  if (!mayDetect(canonicalText, SECRET_DETECTORS)) return args;
  return rewriteMembers(args, maskString);
}

function maskString(text: string, key: string | null): string {
  if (key !== null && isAnnouncedSecret(key, text)) {
    return maskOf(detect(text, SECRET_DETECTORS)[0]?.detector ?? "secret.generic_api_key");
  }
  return replaceDetected(text, SECRET_DETECTORS, (_found, detector) => maskOf(detector));
}

function maskOf(detector: DetectorName): string {
  return `[masked:${detector}]`;
}
