import type { AlertRecord } from "@svc/contract/alert";

/** Something that a condition is true of. */
export interface Finding extends Pick<AlertRecord, "subject" | "agent_id" | "summary" | "details"> {
  readonly org: string;
  /** True: it keeps an alert open, but opens none. */
  readonly onlyHolds?: true;
}

/** Milliseconds of lag of the audit index or of deliveries that open an alert, and below which it ends. */
export const LATE_MS = { opens: 60_000, ends: 10_000 };
