import type { ControlFollower, FollowedState } from "@svc/control-feed/control-follower";
import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import { ApprovalExpiry } from "@svc/control-plane/approval-expiry";
import { HeldCallKeeper } from "@svc/control-plane/held-call-keeper";
import { QuarantineExpiry } from "@svc/control-plane/quarantine-expiry";
import { TtlExpiry } from "@svc/control-plane/ttl-expiry";
import type { ComposedControl } from "@svc/http-api/compose-control";
import { ExpiredKeySweep } from "@svc/log-writer/expired-key-sweep";
import { type BackgroundJob, type JobWorker, jobOf } from "@svc/process/background-job";
import { type IntegrationJobParts, integrationJob } from "../integrations/integration-work.ts";
import type { SupervisionMetrics } from "../metrics/supervision-metrics.ts";
import type { ServerParts } from "../start/server-parts.ts";
import { alertWork } from "./alert-work.ts";
import { anomalyJobs } from "./anomaly-jobs.ts";
import { OutboxJob } from "./outbox-job.ts";
import { retentionWork } from "./retention-work.ts";
import { superviseSessions } from "./supervise-sessions.ts";

export type JobParts = Pick<
  ServerParts,
  | "store"
  | "follower"
  | "auditIndex"
  | "settings"
  | "signer"
  | "log"
  | "outbound"
  | "secrets"
  | "registry"
  | "news"
> &
  Pick<IntegrationJobParts, "logWriter"> & {
    readonly metrics: SupervisionMetrics;
    readonly digestKey: string;
  };

export interface ControlJobs {
  /** In the order in which they start. */
  readonly jobs: readonly BackgroundJob[];
  /** How current the expiry of kill switches is. */
  readonly followed: FollowedState;
}

/** Everything that a control process does beside its requests. A new worker is a line of the list. */
export function controlJobs(parts: JobParts, composed: ComposedControl): ControlJobs {
  const { follower, store } = parts;
  const { controlPlane: ports, supervision, replayRunner, knownNames } = composed;
  const { supervised, rogueSettings, risks, receiver } = supervision;
  const removeExpiredKeys = (atMs: number, limit: number) => store.requestKeys.removeExpired(atMs, limit);
  const endingSwitches = followedJob(follower, "ttl expiry", {
    worker: new TtlExpiry(ports),
    consequence: "kill switches may end late",
  });
  const outbox = new OutboxJob(parts, composed);
  const integrations = integrationJob(parts, composed);
  const jobs: readonly BackgroundJob[] = [
    { name: "replays", start: () => replayRunner.recover(), stop: () => replayRunner.close() },
    followedJob(follower, "supervision", {
      worker: supervised,
      consequence: "heartbeats may count for an earlier namespace",
    }),
    followedJob(follower, "known names", {
      worker: knownNames,
      consequence: "names may be registered that look like known ones",
    }),
    jobOf("rogue settings", rogueSettings),
    jobOf("sensitive calls", risks),
    jobOf("heartbeats", receiver),
    endingSwitches,
    followedJob(follower, "held calls", {
      worker: new HeldCallKeeper(ports),
      consequence: "held calls may be released or revoked late",
    }),
    followedJob(follower, "quarantine expiry", {
      worker: new QuarantineExpiry(ports),
      consequence: "quarantines may end late",
    }),
    jobOf("expired request keys", new ExpiredKeySweep({ ...ports, keys: { removeExpiredKeys } })),
    jobOf("approval expiry", new ApprovalExpiry(ports)),
    jobOf("supervisor", superviseSessions(parts, composed)),
    ...anomalyJobs(parts, composed),
    jobOf("outbox", outbox),
    integrations,
    jobOf("alerts", alertWork(parts, composed, { outbox, integrations })),
    ...retentionWork(parts, composed).map((work) => jobOf("retention", work)),
  ];
  return { jobs, followed: endingSwitches.followed };
}

interface FollowedJob extends BackgroundJob {
  readonly followed: FollowedState;
}

/** Work that learns of control state from the feed. It has begun when it knows everything up to then. */
function followedJob(
  follower: Pick<ControlFollower, "subscribe">,
  name: string,
  { worker, consequence }: { readonly worker: ControlSubscriber & JobWorker; readonly consequence: string },
): FollowedJob {
  const followed = follower.subscribe(worker, { name, consequence });
  const start = async (): Promise<void> => {
    await followed.catchUp();
    await worker.start?.();
  };
  return { ...jobOf(name, worker), start, followed };
}
