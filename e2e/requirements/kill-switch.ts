import { type Requirement, tested } from "./requirement.ts";

/** Stopping calls, and knowing that they are stopped. */
export const killSwitchRequirements: readonly Requirement[] = [
  tested("KILL-01", "POST /v1/kill-switch activates a switch of scope session, agent, tool or namespace."),
  tested(
    "KILL-02",
    "The record carries id, scope, target, status, activated_at, expires_at and propagation_ms.",
  ),
  tested("KILL-03", "A session switch stops that session; other sessions of the same agent go on."),
  tested("KILL-04", "An agent switch stops all present and future sessions of that agent."),
  tested("KILL-05", "A tool switch stops that tool for every agent."),
  tested("KILL-06", "A namespace switch stops every agent of that namespace."),
  tested(
    "KILL-07",
    "The account-wide flag stops every call of the organization, whatever the scope beside it.",
  ),
  tested("KILL-08", 'scope "global" means account-wide and needs no target.'),
  tested("KILL-09", "An account-wide switch refuses ttl_seconds unless auto_recovery says so."),
  tested("KILL-10", "A switch without ttl_seconds stays active until it is deactivated."),
  tested(
    "KILL-11",
    "A switch with ttl_seconds ends at expires_at, and the calls that it stopped are possible again.",
  ),
  tested("KILL-12", "The expiry of a switch is audited with trigger_source ttl_expiry."),
  tested("KILL-13", "A repeated activation answers 200 with the existing record; the first one answers 201."),
  tested("KILL-14", "DELETE with reason and deactivated_by ends the switch and answers its record."),
  tested("KILL-15", "Deactivating a switch that is already inactive changes nothing."),
  tested("KILL-16", "GET lists kill_switches by status active, inactive or all, page by page."),
  tested("KILL-17", "One switch can be read by its id; an unknown id is a 404."),
  tested("KILL-18", "Activation and deactivation are audited with actor, reason and trigger_source."),
  tested("KILL-19", "Kill switches stop calls in every governance mode."),
  tested("KILL-20", "A deny by a switch carries the kill_switch_id."),
  tested(
    "KILL-21",
    "Once an activation is answered, no call of its scope is allowed by an acknowledged gateway.",
  ),
  tested(
    "KILL-22",
    "propagation_ms ends with the slowest acknowledgement; a gateway that did not answer is listed.",
  ),
  tested("KILL-23", "Propagation takes less than 100 ms."),
  tested(
    "KILL-24",
    "A switch that is activated while a call is being decided stops that call and returns its step.",
  ),
  tested(
    "KILL-25",
    "A call is checked against switches in memory, at a cost that does not grow with their number.",
  ),
  tested(
    "KILL-26",
    "dry_run takes the same path, reports gateways, time, agents and sessions, and blocks nothing.",
  ),
  tested("KILL-27", "Active switches survive a restart."),
  tested(
    "KILL-28",
    "A malformed activation is refused naming the field: scope, target_id, reason, ttl_seconds.",
  ),
  tested("KILL-29", "More active switches than the organization's limit are refused with limit_reached."),
  tested("KILL-30", "A switch is pushed to every gateway process of a cluster."),
  tested(
    "KILL-31",
    "A switch that rogue detection activates behaves like a manual one, except for its trigger_source.",
  ),
  tested("KILL-32", "A certificate of enforcement can be read for every switch."),
  tested("KILL-33", "Tool calls of the killed scope that are already running are revoked."),
  tested(
    "KILL-34",
    "A repeat with a later end extends the switch, audited and announced; no repeat shortens it.",
  ),
  tested("KILL-35", "propagation_ms counts from activated_at to the slowest enforcement."),
  tested(
    "KILL-36",
    "An activation reports which agents and sessions it affects, and warns of a name never seen.",
  ),
  tested(
    "KILL-37",
    "A list shows an account-wide switch first, and says what each switch stops and for how long.",
  ),
  tested(
    "KILL-38",
    "A refused activation says what to write instead of a field or scope that does not exist.",
  ),
  tested(
    "KILL-39",
    "Who had to acknowledge a switch, and when each one did, is written with it and outlives every process.",
  ),
  tested(
    "KILL-40",
    "A certificate claims no more than was acknowledged, or than follows from a lease that has ended since.",
  ),
  tested(
    "KILL-41",
    "verify-certificate refuses offline what is not exactly what a server signed, and says why.",
  ),
  tested(
    "KILL-42",
    "Changes of policies, assignments and keys, and the end of a switch, say how long they took to arrive.",
  ),
];
