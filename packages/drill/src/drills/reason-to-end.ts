import { DrillFault } from "../drill-fault.ts";

/** Why a drill ended before its last step. @throws a defect of the drill itself */
export function reasonToEnd(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return String(signal.reason instanceof Error ? signal.reason.message : signal.reason);
  if (error instanceof DrillFault) return error.message;
  throw error;
}
