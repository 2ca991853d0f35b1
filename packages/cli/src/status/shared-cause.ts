import type { Part, Status } from "./read-status.ts";

const NAMES: Readonly<Record<keyof Status, string>> = {
  server: "server",
  gateways: "gateways",
  kill_switches: "kill switches",
  disabled_policies: "disabled policies",
  agents: "agents",
  busiest: "busiest",
  anomalies: "anomalies",
  approvals: "approvals",
  decisions: "decisions",
  signed: "signed",
};

/** Why several parts are not known. */
export interface SharedCause {
  readonly why: string;
  /** The names of the parts. */
  readonly parts: readonly string[];
}

/** Without the request that met it, which is another one for each part. */
export function causeOf(why: string): string {
  return why.replace(/ \([A-Z]+ \S+ was answered [0-9]+\)$/, "");
}

/** The cause that most parts share; null when no two have the same one. */
export function sharedCause(status: Status): SharedCause | null {
  const byCause = new Map<string, string[]>();
  for (const [key, name] of Object.entries(NAMES)) {
    const part: Part<unknown> = status[key as keyof Status];
    if (part.known) continue;
    const cause = causeOf(part.why);
    byCause.set(cause, [...(byCause.get(cause) ?? []), name]);
  }
  const [most] = [...byCause].toSorted(([, left], [, right]) => right.length - left.length);
  return most === undefined || most[1].length < 2 ? null : { why: most[0], parts: most[1] };
}
