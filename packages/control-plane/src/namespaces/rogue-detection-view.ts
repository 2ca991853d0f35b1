import { DEFAULT_ROGUE_DETECTION, type NamespaceRogueDetection } from "@svc/contract/rogue-detection";
import type { StoredRogueDetection } from "@svc/store/ports/namespace-store";

/** The settings of a namespace as they are shown. Null: nobody has set any, so the defaults are in force. */
export function rogueDetectionView(id: string, stored: StoredRogueDetection | null): NamespaceRogueDetection {
  return {
    namespace_id: id,
    rogue_detection: stored?.settings ?? DEFAULT_ROGUE_DETECTION,
    updated_at: stored?.updatedAt ?? null,
    updated_by: stored?.updatedBy ?? null,
  };
}
