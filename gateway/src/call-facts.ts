import { isAscii } from "@svc/engine/skeleton";
import type { KillTarget } from "./check/kill-switch-index.ts";

/** Everything about a call except its arguments, with every default filled in. */
export interface CallFacts extends KillTarget {
  readonly principal: string;
  /** Whether the caller named the namespace. False: it is that of the registration, or the default. */
  readonly namesNamespace: boolean;
  /** Whether every name is in ASCII, and looks like no other name in ASCII. */
  readonly namesArePlain: boolean;
  /** When the call was received: epoch milliseconds, by which a policy decides that reads the time. */
  readonly timeMs: number;
  /** Micro-USD as the request named it; null when it named none. */
  readonly costMicroUsd: number | null;
  /** Whether the caller may name a lower cost than the policy's price, and get charges back. */
  readonly costIsTrusted: boolean;
  /** The trace that the caller named; null when it named none. */
  readonly traceId: string | null;
}

/** For `namesArePlain`. */
export function arePlainNames({ namespace, agentId, sessionId, tool }: Omit<KillTarget, "org">): boolean {
  return (
    isAscii(agentId) && isAscii(tool) && isAscii(namespace) && (sessionId === null || isAscii(sessionId))
  );
}
