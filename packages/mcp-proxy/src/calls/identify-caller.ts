import type { IncomingMessage } from "node:http";
import type { DenyVerdict } from "@svc/contract/verdict";
import { type Caller, readCaller } from "../headers/caller.ts";
import { withImpliedSession } from "../memory/implied-sessions.ts";
import type { Memory } from "../memory/memory.ts";
import type { Reporting } from "../reporting.ts";

/** Who sends a request, or why nobody may send it. `foreign`: it names the session of another agent. */
export type Identification =
  | { readonly kind: "caller"; readonly caller: Caller }
  | { readonly kind: "denied"; readonly deny: DenyVerdict }
  | { readonly kind: "foreign" };

/** Reads who sends a request from its headers, the configuration, and the sessions that are known. */
export function identifyCaller(
  request: IncomingMessage,
  parts: Reporting & Pick<Memory, "sessions" | "impliedSessions">,
): Identification {
  const caller = readCaller(request, parts.settings.identity);
  if (!caller.ok) {
    parts.reporter.refused("identity", caller.deny.reason);
    return { kind: "denied", deny: caller.deny };
  }
  if (parts.sessions.isForeign(caller.value)) return { kind: "foreign" };
  return { kind: "caller", caller: withImpliedSession(caller.value, request, parts) };
}
