import type { FollowedState } from "@svc/control-feed/control-follower";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { GraphqlThread } from "@svc/graphql/graphql-thread";
import { composeControl, type ProcessPorts } from "@svc/http-api/compose-control";
import { controlApp } from "@svc/http-api/control-app";
import { limitGuesses } from "@svc/http-api/guess-limits";
import { NO_RATE_LIMITS, RateLimits } from "@svc/http-api/rate-limits";
import { tokenApp } from "@svc/http-api/token-app";
import type { Judge, WebApp } from "@svc/http-api/web-app";
import { startJobs } from "@svc/process/background-job";
import { systemClock } from "@svc/process/clock";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import { KeyedDigest } from "@svc/text/keyed-digest";
import type { ApprovalPages } from "@svc/web/approval-pages";
import { channelTester } from "../channels/channel-tester.ts";
import { integrationTester } from "../integrations/integration-work.ts";
import { controlJobs } from "../jobs/control-jobs.ts";
import { deploymentKeyOf } from "../keys/deployment-key.ts";
import { explanationCounter } from "../metrics/explanation-counter.ts";
import { SupervisionMetrics } from "../metrics/supervision-metrics.ts";
import { openIdentityTokens } from "../people/open-identity-tokens.ts";
import { openPeople } from "../people/open-people.ts";
import { openWebhookSending } from "../webhooks/open-webhook-sending.ts";
import type { ServerParts } from "./server-parts.ts";

export interface ControlRole {
  readonly controlPlane: ControlPlanePorts;
  /** The control endpoints. */
  readonly controlApp: WebApp;
  /** How current the expiry of kill switches is. */
  readonly followed: FollowedState;
  readonly approvalPages: ApprovalPages;
  readonly tokenApp: (judge: Judge) => WebApp;
  readonly loginPages: WebApp;
  /** Ends event streams, and answers the requests that wait for an approval. */
  closeStreams(): Promise<void>;
  /** Stops the background jobs of the role. */
  close(): Promise<void>;
}

/** Starts the control endpoints and the jobs beside them. @throws when the store cannot be read. */
export async function startControlRole(parts: ServerParts, processes: ProcessPorts): Promise<ControlRole> {
  const { authenticators, settings, registry, documents, simulator, replayer, logWriter } = parts;
  const { store, auditIndex, signer, log, verifierKeys, noteRefusal, outbound, secrets } = parts;
  const metrics = new SupervisionMetrics(registry);
  const digestKey = await deploymentKeyOf(store, "digest");
  const keyed = new KeyedDigest(digestKey);
  const graphql = new GraphqlThread({ log });
  const composed = composeControl({
    ...processes,
    store,
    auditIndex,
    signer,
    registry,
    log,
    verifierKeys,
    noteRefusal,
    documents,
    guardrailChecks: documents,
    simulations: simulator.calls,
    rowThread: replayer.calls,
    digestKey,
    publicUrl: settings.publicUrl,
    identityTokens: openIdentityTokens(outbound, settings.outbound),
    sealedSecrets: secrets,
    webhookSending: openWebhookSending({ secrets, outbound, digest: (text) => keyed.of(text) }),
    destinations: outbound,
    channelTester: channelTester(parts),
    integrationTester: integrationTester(parts),
    answerGraphql: (...asked) => graphql.answer(...asked),
    noteExplanation: explanationCounter(registry),
    noteHeartbeat: (outcome) => metrics.heartbeats.inc({ outcome }),
    countTransition: (from, to) => metrics.transitions.inc({ from, to }),
    authenticate: limitGuesses(authenticators.verified, systemClock, settings),
    rateLimits: settings.authentication === "off" ? NO_RATE_LIMITS : new RateLimits(systemClock),
    corsOrigins: new Set(settings.corsOrigins),
    checkpoint: () => logWriter.checkpoint(),
  });
  const { controlPlane, api, closeStreams } = composed;
  const { jobs, followed } = controlJobs({ ...parts, metrics, digestKey }, composed);
  const running = await startJobs(jobs);
  const people = openPeople(parts, await deploymentKeyOf(store, "pages"), api);
  const { approvalPages } = people;
  const all = new ShutdownStack();
  all.add(graphql);
  all.add(approvalPages);
  all.add(running);
  const close = (): Promise<void> => all.close();
  const web = {
    controlApp: controlApp({ ...api, telemetry: parts.telemetry }),
    ...people,
    tokenApp: tokenApp({ ...api, ...settings, corsOrigins: api.corsOrigins, clock: systemClock }),
  };
  return { controlPlane, ...web, followed, closeStreams, close };
}
