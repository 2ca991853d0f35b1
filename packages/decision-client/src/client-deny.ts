import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import { MAX_WAITING_PER_AGENT } from "./fair-share.ts";
import { transportCode } from "./transport-code.ts";

export function denyExpired(timeoutMs: number): DenyVerdict {
  return failClosedDeny("decision_timeout", `The gateway gave no verdict within ${timeoutMs} ms.`);
}

export function denyAbandoned(): DenyVerdict {
  return failClosedDeny("decision_timeout", "The caller stopped waiting before the gateway gave a verdict.");
}

export function denyOverloaded(): DenyVerdict {
  const reason =
    `Expected at most ${String(MAX_WAITING_PER_AGENT)} questions of one agent to wait for the gateway. ` +
    "Repeat the call when others are answered.";
  return failClosedDeny("adapter_overloaded", reason);
}

export function denyUnreachable(error: unknown): DenyVerdict {
  return failClosedDeny("gateway_unreachable", `No answer came from the gateway (${transportCode(error)}).`);
}

/** A defect of ours or a hostile argument. The text of the error is not answered. */
export function denyDefect(): DenyVerdict {
  return failClosedDeny("internal_error", "The decision client failed before a verdict was obtained.");
}
