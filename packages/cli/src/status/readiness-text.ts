import { operationalRoutes } from "@svc/api/operational-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { ControlClient } from "../connection/control-client.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Part, Status } from "./read-status.ts";

type Readiness = JsonAnswerOf<typeof operationalRoutes.getReadiness>["body"];

/** What a server that is not ready does with calls, in the same words in every command. Null: it is ready. */
export function notReadyText(readiness: Readiness): string | null {
  const { status, control_state, policies, store } = readiness;
  if (status === "ready") return null;
  const parts = `control state ${control_state}, policies ${policies}, store ${store}`;
  return `NOT READY, ${deniedCalls(readiness)}: ${parts}`;
}

/** Which calls a server that is not ready denies. Where only policies load, it decides by the others. */
export function deniedCalls({ control_state, policies, store }: Readiness): string {
  const isOnlyLoading = policies === "loading" && control_state === "ok" && store === "ok";
  return isOnlyLoading ? "it denies calls whose policy is not compiled" : "it denies every call";
}

/** Milliseconds that a server that has just failed is asked for. */
const LOOK_MS = 2_000;

/** The same of a server that did not do as it was asked. Null also where it does not say. */
export async function askNotReady(connection: Connection): Promise<string | null> {
  const client = new ControlClient(connection, AbortSignal.timeout(LOOK_MS));
  try {
    const { body } = await client.ask(operationalRoutes.getReadiness);
    return notReadyText(body);
  } catch (fault) {
    if (fault instanceof CommandFailure || (fault instanceof Error && fault.name === "TimeoutError"))
      return null;
    throw fault;
  }
}

const NAMES: Readonly<Record<keyof Status, string>> = {
  server: "server",
  gateways: "gateways",
  kill_switches: "kill switches",
  disabled_policies: "disabled policies",
  agents: "agents",
  busiest: "busiest",
  anomalies: "anomalies",
  alerts: "alerts",
  webhooks: "webhooks",
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
