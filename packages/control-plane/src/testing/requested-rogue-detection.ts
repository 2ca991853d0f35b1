import { parseRogueDetection, type RequestedRogueDetection } from "@svc/contract/rogue-detection";
import type { JsonObject } from "@svc/text/json-value";

/** Settings as a request asks for them. */
export function requestedRogueDetection(changes: JsonObject = {}): RequestedRogueDetection {
  const parsed = parseRogueDetection({ rogue_detection: changes });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.value;
}
