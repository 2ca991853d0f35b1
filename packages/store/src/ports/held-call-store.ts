import type { HeldCallStatus } from "@svc/contract/held-call";
import type { Page, PageRequest } from "./page.ts";
import type { RowPosition } from "./row-position.ts";

export interface HeldCallEnd {
  /** RFC 3339. */
  readonly at: string;
  /** The part of the server that ended it. */
  readonly by: string;
  readonly reason: string;
}

/** A call that a row of the ledger holds while its agent is suspended. */
export interface StoredHeldCall {
  readonly org: string;
  readonly id: string;
  readonly callDigest: string;
  readonly namespace: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
  readonly requestedBy: string;
  /** The control state that the agent was suspended in. Who knows an older one must not release the call. */
  readonly revision: number;
  /** The row that holds it. */
  readonly position: RowPosition;
  /** Unix milliseconds. */
  readonly heldAtMs: number;
  readonly expiresAtMs: number;
  /** As stored: one that is held although its time is over has expired. */
  readonly status: HeldCallStatus;
  /** Null while it is held. */
  readonly end: HeldCallEnd | null;
}

export interface HeldCallFilter {
  /** By what holds at `atMs`. */
  readonly status: HeldCallStatus | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly tool: string | null;
  /** Only calls of these; null: of all. */
  readonly agents: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** Which held calls to read, oldest first. */
export interface UnresolvedQuestion {
  /** Only calls of this agent; null: of all agents of all organizations. */
  readonly agent: { readonly org: string; readonly agentId: string } | null;
  /** The last one that was read; null: from the oldest one. */
  readonly after: Pick<StoredHeldCall, "heldAtMs" | "org" | "id"> | null;
  readonly limit: number;
}

export interface HeldCallEnding {
  readonly org: string;
  readonly id: string;
  readonly status: Exclude<HeldCallStatus, "held">;
  readonly end: HeldCallEnd;
  readonly auditRow: string;
}

/** Calls that are held while their agents are suspended. Entries of the ledger hold them. */
export interface HeldCallStore {
  heldCall(org: string, id: string): Promise<StoredHeldCall | null>;
  /** Newest first. */
  heldCalls(
    org: string,
    filter: HeldCallFilter,
    page: PageRequest,
  ): Promise<Page<StoredHeldCall> | "bad_cursor">;
  /** Calls with the status `held`, oldest first. */
  unresolved(question: UnresolvedQuestion): Promise<readonly StoredHeldCall[]>;
  /**
   * Ends a held call with its audit row, in one transaction. `moved`: it had ended before, or does not exist;
   * nothing was written.
   */
  endHeldCall(ending: HeldCallEnding): Promise<"ended" | "moved">;
}
