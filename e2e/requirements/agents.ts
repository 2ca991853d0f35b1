import { type Requirement, tested } from "./requirement.ts";

/** Agents, their supervision, and people who approve. */
export const agentRequirements: readonly Requirement[] = [
  tested("AGT-01", "An agent can be registered with namespace, provider, tags, capabilities and parent."),
  tested(
    "AGT-02",
    "GET /v1/agents lists agents with id, severity and last_heartbeat, filtered by severity list.",
  ),
  tested("AGT-03", "GET /v1/agents/{id}/health answers the documented fields."),
  tested("AGT-04", "An agent sends heartbeats by POST."),
  tested("AGT-05", "Agents can be changed, removed, quarantined and released."),
  tested("AGT-07", "Agents that call without being registered are listed, and adopted with one call."),
  tested("AGT-08", "A call in another namespace than that of its agent's registration is denied with a row."),
  tested("AGT-09", "A quarantine ends by itself when its time is over, audited, and never early."),
  tested("AGT-06", "Namespaces can be created, described and removed."),
  tested(
    "AGT-10",
    "Dry runs of a switch and a quarantine count agents, sessions, calls in flight and per hour.",
  ),
  tested("AGT-11", "The health of an agent shows its quarantine."),
  tested("AGT-13", "An agent that only sends heartbeats is listed, filtered and adopted as one that calls."),
  tested("AGT-14", "Nothing can be created with an id that no path can name."),
  tested(
    "AGT-15",
    "A containment names everybody who called lately, also before a restart, or says that there may be more.",
  ),
  tested(
    "AGT-30",
    "GET agents/top counts calls, denies, pauses, cost and sessions exactly, beside the hour before.",
  ),
  tested(
    "AGT-31",
    "GET agents/{id}/activity sums up one agent by tool, session, rule and argument, and says its limits.",
  ),
  tested("AGT-32", "Only keys that may read the audit log see which agents are busy and what they do."),
  tested("AGT-12", "The health of an agent counts no heartbeat as missed while nobody watched."),

  tested("ROGUE-01", "A heartbeat of a healthy agent resets severity to INFO."),
  tested("ROGUE-02", "A miss within tolerance is recorded and does nothing else."),
  tested("ROGUE-03", "warn_after_missed missed heartbeats raise WARNING; the agent stays operational."),
  tested(
    "ROGUE-04",
    "WARNING starts the escalation timer; it is logged and streamed, and channels are told.",
  ),
  tested("ROGUE-05", "critical_after_missed missed heartbeats raise CRITICAL."),
  tested("ROGUE-06", "CRITICAL suspends pending approvals and holds new calls in a bounded queue."),
  tested(
    "ROGUE-07",
    "CRITICAL ends when heartbeats resume and the agent re-authenticates; the queue is released.",
  ),
  tested("ROGUE-08", "emergency_after_missed missed heartbeats raise EMERGENCY."),
  tested(
    "ROGUE-09",
    "EMERGENCY activates a session kill switch with trigger_source rogue_detection if auto_kill is set.",
  ),
  tested("ROGUE-10", "EMERGENCY terminates the session and revokes calls in flight."),
  tested("ROGUE-11", "Only a manual re-registration ends EMERGENCY."),
  tested("ROGUE-12", "Without heartbeats EMERGENCY comes after interval_seconds x emergency_after_missed."),
  tested(
    "ROGUE-13",
    "Sessions whose parent is gone are flagged as potential orphans and watched more closely.",
  ),
  tested("ROGUE-14", "An orphan without a valid parent after grace_period_seconds is escalated."),
  tested(
    "ROGUE-15",
    "Intervals, thresholds, orphan checks, auto_kill, channels and retention are set per namespace.",
  ),
  tested("ROGUE-16", "What the agent was doing and what it may do alters its thresholds."),
  tested("ROGUE-17", "escalation_eta_seconds says when the next escalation comes."),
  tested("ROGUE-18", "No two heartbeats close a circle of parents, whichever processes received them."),
  tested("ROGUE-19", "No agent stops another one by heartbeats with a session id that this one uses."),
  tested("ROGUE-20", "A shorter interval raises the severity of no live agent."),
  tested("ROGUE-21", "An approval says which session of its agent suspends it."),

  tested("COVER-01", "A report that a call ran without an allow is recorded once, and charges nothing."),
  tested("COVER-02", "Allowed calls without an outcome are counted for each session and key."),
  tested("COVER-03", "Calls that ran although they were not allowed are counted."),
  tested(
    "COVER-04",
    "Missing outcomes count where a run was reported in the session, or where the settings expect outcomes.",
  ),
  tested(
    "COVER-05",
    "A session whose allowed calls lack outcomes in time is an anomaly, reported once in an hour.",
  ),
  tested("COVER-06", "A session whose calls ran without an allow is an anomaly, reported once in an hour."),

  tested("ANOM-01", "The same call again and again is an anomaly, reported once for each run."),
  tested("ANOM-02", "A denied call that comes again is an anomaly, unless a repeat could change the answer."),
  tested(
    "ANOM-03",
    "Many denied calls, a burst against the agent's usual minute and a late new tool are anomalies.",
  ),
  tested("ANOM-04", "Each threshold is a setting of the namespace, and null switches it off."),
  tested("ANOM-05", "An anomaly raises severity to at most WARNING, and is a row that says why."),
];
