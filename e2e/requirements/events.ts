import { type Requirement, tested } from "./requirement.ts";

/** The event stream. */
export const eventRequirements: readonly Requirement[] = [
  tested("EVT-01", "The event stream sends each durable row once, in the order of its log, with its place."),
  tested("EVT-02", "A stream goes on behind Last-Event-ID without loss, also after the server was killed."),
  tested("EVT-03", "Events that a stream leaves out are named by a gap event that says where to read on."),
  tested("EVT-04", "Events are filtered by kind, agent, namespace and decision."),
  tested("EVT-05", "A key sees events of its organization, a bound key those of what it is bound to."),
  tested("EVT-06", "The streams of a key end when the key does."),
  tested("EVT-07", "A reader that takes nothing takes bounded memory, gets one gap, and slows no call down."),
  tested(
    "EVT-08",
    "The events of all gateways of a database reach a reader at each of them, each event once.",
  ),
  tested("EVT-10", "The streams of one organization leave places to other organizations, whatever its keys."),
  tested("EVT-09", "Behind a proxy that buffers, events come at once, and a quiet stream stays open."),
];
