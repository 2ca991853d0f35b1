import type { DocumentText } from "../check-document.ts";

/** What those who ask for a replay exchange with the thread that decides calls again. */

/** Which rows of a log are read. */
export interface LogRange {
  readonly logId: string;
  /** First row. */
  readonly from: number;
  /** First row that is left out. */
  readonly end: number;
}

/** What is done with the rows. */
export type ReplayWork =
  | {
      readonly kind: "replay";
      readonly candidate: DocumentText;
      /** Its decisions are what those of the candidate are compared with; absent: the recorded ones are. */
      readonly base?: DocumentText;
      readonly policyId: string;
      readonly agents: readonly string[] | null;
    }
  | {
      readonly kind: "propose";
      readonly agentId: string | null;
      readonly namespace: string | null;
      /** The policy that governs now; null when none does. */
      readonly present: DocumentText | null;
      /** Whether the values of arguments may be shown. */
      readonly showsArguments: boolean;
    };

export interface ReplayOrder {
  readonly id: string;
  readonly work: ReplayWork;
  readonly org: string;
  readonly since: string;
  readonly until: string;
  readonly logs: readonly LogRange[];
  readonly digestKey: string;
}

/** Rows of one log in the order of their numbers. */
export interface RowPage {
  readonly from: number;
  readonly bytes: Uint8Array;
  /** Bytes of each row; 0 for a row that is gone. */
  readonly lengths: Uint32Array;
}

export type ReplayReply =
  /** The rows of this log from `from` on come next. */
  | { readonly kind: "needs"; readonly logId: string; readonly from: number; readonly rowsRead: number }
  /** The time of one order is over, and the work is not. */
  | { readonly kind: "more"; readonly rowsRead: number }
  /** All rows were read. `text`: the result as JSON. */
  | { readonly kind: "done"; readonly text: string }
  /** The work cannot be done. */
  | { readonly kind: "refused"; readonly reason: string };
