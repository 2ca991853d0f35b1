import type { JsonObject } from "@svc/text/json-value";
import type { Expected, Position } from "./read-mock-file.ts";

/** A case, ready to be decided. */
export interface TestCase extends Position {
  /** What the report calls it. */
  readonly name: string;
  readonly agentId: string;
  /** Null: the call names no session. */
  readonly sessionId: string | null;
  readonly namespace: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly costMicroUsd: number | null;
  /** When the call is received: epoch milliseconds of the virtual clock. */
  readonly timeMs: number;
  /** Whether the file names the time, of this case or of one before in its session. */
  readonly isTimed: boolean;
  readonly repeat: number;
  readonly expected: Expectation | null;
}

/** `expect` of a case, ready to be compared. */
export interface Expectation extends Omit<Expected, "reason"> {
  readonly reason?: { readonly text: string; readonly matches: (reason: string) => boolean };
}
