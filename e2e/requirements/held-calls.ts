import { type Requirement, tested } from "./requirement.ts";

/** Calls of agents that rogue detection suspended or terminated. */
export const heldCallRequirements: readonly Requirement[] = [
  tested("HELD-01", "A gateway knows the severity of each session, and of an agent the worst one."),
  tested(
    "HELD-02",
    "Calls of a session are held at CRITICAL and denied at EMERGENCY, in every governance mode.",
  ),
  tested("HELD-03", "A held call is one however often it is repeated, and each repeat leaves a row."),
  tested("HELD-04", "At most 100 calls of an agent are held; the next one is denied with held_calls_full."),
  tested("HELD-05", "Held calls are listed newest first, by status, agent, session and tool."),
  tested("HELD-06", "Held and terminated calls are decided anew under their Idempotency-Key after recovery."),
  tested("HELD-07", "Calls that wait for the recovery of their agent are judged one by one in their order."),
  tested("HELD-08", "Recovery releases the held calls of an agent in their order; EMERGENCY revokes them."),
  tested("HELD-09", "A call that is held for a day expires, with an audit row."),
  tested(
    "HELD-10",
    "With SVC_HEARTBEAT=on an adapter sends heartbeats for sessions with allowed calls, in their interval.",
  ),
  tested("HELD-11", "An adapter ends the supervision of a session that ended or has been idle."),
  tested("HELD-12", "A heartbeat of an adapter delays no call, and its fault is a line of the log."),
  tested(
    "HELD-13",
    "A session kill by rogue detection ends MCP calls in flight, whose outcome stays revoked.",
  ),
];
