/** How far an agent's session is from healthy, mildest first. */
export const SEVERITIES = ["INFO", "WARNING", "CRITICAL", "EMERGENCY"] as const;
export type Severity = (typeof SEVERITIES)[number];
