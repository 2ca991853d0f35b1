import { type Requirement, tested } from "./requirement.ts";

/** Keys, roles and organizations. AUTH-01 to AUTH-12 stand with the calls that they guard. */
export const keyRequirements: readonly Requirement[] = [
  tested("KEY-01", "Only the bootstrap key makes admin keys and keys of other organizations."),
  tested("KEY-02", "No key hands out more scopes, agents, namespaces or time than it has itself."),
  tested(
    "KEY-03",
    "A rotated key accepts its new secret at once, and an earlier secret until its overlap ends.",
  ),
  tested(
    "KEY-04",
    "A revocation is acknowledged by each gateway, and from then on no request with the key is served.",
  ),
  tested("KEY-05", "The id of a key is never used again."),
  tested("KEY-06", "A key is refused from the millisecond of its end on, without a restart or an event."),
  tested("KEY-07", "A key that was revoked or has expired makes, rotates and revokes no key."),
  tested(
    "KEY-08",
    "While control state is not verified, no key opens a control route, and no call with one is allowed.",
  ),
  tested("KEY-09", "An outcome is taken from the key that asked alone, or from one with outcome:any."),
  tested(
    "KEY-10",
    "An agent key gets neither steps nor cost back, and lowers no cost below the price of the policy.",
  ),
  tested("KEY-11", "A bound operator stops and releases its own agents and namespaces and nothing else."),
  tested("KEY-12", "A key of another organization is answered as an unknown one, and is in no list."),
  tested("KEY-13", "What was answered about a key still holds after the server was killed and restarted."),
  tested("KEY-14", "Every route serves exactly the roles whose scopes docs/SECURITY-MODEL.md names."),
  tested("KEY-15", "No route tells a key of another organization whether a resource exists, or changes it."),
];
