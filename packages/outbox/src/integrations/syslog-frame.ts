import type { ForwardedRow } from "@svc/store/ports/forwarded-rows";

/** Facility "log audit" of RFC 5424. */
const FACILITY = 13;

/** Severities of RFC 5424 by those that OCSF counts: 6 informational, 5 notice, 4 warning, 3, 2 critical. */
const SEVERITIES = [6, 6, 5, 4, 3, 2] as const;

/** Octets of a host name in a message at most. */
const MAX_HOST = 255;

const BOM = "\ufeff";

/**
 * One message of RFC 5424 with the count of its octets in front (RFC 5425). The text is the line of the row,
 * which names its place.
 */
export function syslogFrame({ kind, timeMs, severity, line }: ForwardedRow, hostname: string): string {
  const priority = FACILITY * 8 + (SEVERITIES[severity] ?? SEVERITIES[0]);
  const time = new Date(timeMs).toISOString();
  const host = hostname.replace(/[^\x21-\x7e]/g, "").slice(0, MAX_HOST) || "-";
  const message = `<${String(priority)}>1 ${time} ${host} svc - ${kind} - ${BOM}${line}`;
  return `${String(Buffer.byteLength(message))} ${message}`;
}
