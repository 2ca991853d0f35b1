import { type Requirement, tested } from "./requirement.ts";

/** Listeners with a certificate of their own. */
export const tlsRequirements: readonly Requirement[] = [
  tested("TLS-01", "A listener with certificate and key serves HTTP/1.1 over TLS 1.2 and 1.3."),
  tested("TLS-02", "Older versions, HTTP/2 alone and renegotiation are refused."),
  tested("TLS-03", "With authorities of clients, only a client with a certificate of theirs is served."),
  tested("TLS-04", "A handshake has a deadline, and counts as an unproven connection until it is over."),
  tested("TLS-05", "Renewed files are taken into use without a restart and without a failed request."),
  tested("TLS-06", "A listener that other machines reach over plain HTTP warns at its start."),
  tested("TLS-07", "Where clients need a certificate, no session is resumed: each handshake proves it anew."),
  tested("TLS-08", "A certificate that is not valid now is refused at the start, and replaces no other one."),
];
