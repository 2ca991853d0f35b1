import { type Requirement, tested } from "./requirement.ts";

/** What the service may call. */
export const outboundRequirements: readonly Requirement[] = [
  tested("OUT-01", "Nothing is sent to a private address that SVC_OUTBOUND_ALLOW does not name."),
  tested(
    "OUT-02",
    "Link-local, metadata and reserved addresses are never called, whatever the settings say.",
  ),
  tested("OUT-03", "A redirect is not followed."),
  tested("OUT-04", "An address is judged when it is used: a name that changes its address gains nothing."),
  tested("OUT-05", "300 hostile URLs are refused before anything is sent, each for its reason."),
  tested("OUT-06", "SVC_WEBHOOK_ALLOW_PRIVATE permits private addresses, and the start warns of it."),
  tested("OUT-07", "An answer is read up to a bound, and one deadline holds for the whole exchange."),
  tested(
    "OUT-08",
    "Certificates are verified, with authorities of SVC_OUTBOUND_CA_FILE beside the usual ones.",
  ),
  tested("OUT-09", "Host names that are never answered take no thread, and delay no other name."),
];
