import { LostControlStateError } from "../control-head-guard.ts";
import { isDatabaseOutage, NoPrimaryError } from "./database-outage.ts";

/** An error as it travels between threads: its message, and what its receivers tell apart. */
export interface PostgresFault {
  readonly kind: "outage" | "lost_control_state" | "other";
  readonly message: string;
}

export function renderFault(error: unknown): PostgresFault {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof LostControlStateError) return { kind: "lost_control_state", message };
  return { kind: isDatabaseOutage(error) ? "outage" : "other", message };
}

export function parseFault({ kind, message }: PostgresFault): Error {
  switch (kind) {
    case "lost_control_state":
      return new LostControlStateError(message);
    case "outage":
      return new NoPrimaryError(message);
    case "other":
      return new Error(message);
    default:
      throw new Error(`unknown fault ${JSON.stringify(kind satisfies never)}`);
  }
}
