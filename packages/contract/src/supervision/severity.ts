/** How far a supervised session is from being ended, mildest first. */
export const SEVERITIES = ["INFO", "WARNING", "CRITICAL", "EMERGENCY"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The worst of several severities; INFO when there are none. */
export function worstSeverity(severities: Iterable<Severity>): Severity {
  let worst: Severity = "INFO";
  for (const severity of severities) {
    if (SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(worst)) worst = severity;
  }
  return worst;
}
