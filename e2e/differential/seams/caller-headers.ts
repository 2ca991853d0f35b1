import type { SeamCall } from "../seam.ts";

type NamedCaller = Pick<SeamCall, "agent" | "session" | "namespace">;

/** Who calls, as an operator's proxy says it in headers. */
export function callerHeaders({ agent, session, namespace }: NamedCaller): Record<string, string> {
  return {
    "x-svc-agent-id": agent,
    ...(session === null ? {} : { "x-svc-session-id": session }),
    ...(namespace === null ? {} : { "x-svc-namespace": namespace }),
  };
}
