import { disableChannel } from "@svc/control-plane/channels";
import type { ChannelTester } from "@svc/control-plane/opened-channel";
import type { ComposedControl } from "@svc/http-api/compose-control";
import { type ChannelFacts, channelDestination, sendTest } from "@svc/outbox/channel-destination";
import type { MailSender } from "@svc/outbox/mail-sender";
import { Outbox } from "@svc/outbox/outbox";
import { type BackgroundJob, jobOf } from "@svc/process/background-job";
import { systemClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import type { Store } from "@svc/store/ports/store";
import { Counter } from "prom-client";
import type { CommonOutboxParts } from "../jobs/outbox-parts.ts";
import type { ServerParts } from "../start/server-parts.ts";
import { LiveChannels } from "./live-channels.ts";

export type ChannelJobParts = Pick<
  ServerParts,
  "store" | "outbound" | "secrets" | "registry" | "log" | "settings" | "news"
>;

/** Sessions of one id that are looked at, as count: an id of several agents is rare. */
const SESSIONS = 20;

/** Tells people what happens, by the channels that somebody names, while this process leads. */
export function channelJob(
  parts: ChannelJobParts,
  { controlPlane: ports }: ComposedControl,
  common: CommonOutboxParts,
): BackgroundJob {
  const { store, secrets, registry, log, settings, news } = parts;
  const live = new LiveChannels({ store, secrets, news, log });
  const attempts = new Counter({
    name: "svc_channel_attempts_total",
    help: "Attempts to tell people through a notification channel that this process made, by outcome",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const sending = { ...sendingParts(parts), facts: factsOf(store), publicUrl: settings.publicUrl };
  const outbox = new Outbox({
    ...common,
    endpoints: async () => (await live.read()).map((channel) => channelDestination(sending, channel)),
    disable: async (courseId, reason) => {
      const found = live.find(courseId);
      if (found !== null) await disableChannel(ports, found.org, { id: found.id, reason });
    },
    noteAttempt: (outcome) => attempts.inc({ outcome }),
  });
  return jobOf("notification channels", outbox);
}

/** Sends tests at once, from whichever process is asked. */
export function channelTester(parts: Pick<ChannelJobParts, "outbound" | "settings">): ChannelTester {
  const sending = { ...sendingParts(parts), publicUrl: parts.settings.publicUrl };
  return {
    test: async (org, address) => {
      const outcome = await sendTest(sending, { org, id: randomId("test"), address });
      const { status, fault, answer, latencyMs } = outcome;
      return { delivered: outcome.kind === "delivered", status, fault, answer, latency_ms: latencyMs };
    },
  };
}

function sendingParts({ outbound, settings }: Pick<ChannelJobParts, "outbound" | "settings">) {
  return {
    dialer: outbound,
    clock: systemClock,
    pagerdutyUrl: settings.pagerdutyUrl,
    mail: settings.smtp === null ? null : lazyMail({ outbound, smtp: settings.smtp }),
  };
}

type Smtp = NonNullable<ChannelJobParts["settings"]["smtp"]>;

/** Loads the client for mail with the first mail: most servers send none. */
function lazyMail({
  outbound,
  smtp,
}: {
  readonly outbound: ChannelJobParts["outbound"];
  readonly smtp: Smtp;
}): MailSender {
  let opening: Promise<MailSender> | null = null;
  const open = async (): Promise<MailSender> => {
    const { createMailSender } = await import("@svc/outbox/mail-sender");
    return createMailSender({ settings: smtp, dialer: outbound, clock: systemClock });
  };
  return { send: async (to, mail) => (await (opening ??= open())).send(to, mail) };
}

function factsOf({ approvals, agents, supervision }: Store): ChannelFacts {
  return {
    workflowOf: async (org, id) => (await approvals.approval(org, id))?.workflowId ?? null,
    namespacesOf: async (org, { scope, id }) => {
      if (scope === "session")
        return (await supervision.sessionsNamed(org, id, SESSIONS)).map(({ namespace }) => namespace);
      const found = await agents.agent(org, id);
      return found === null ? [] : [found.namespace];
    },
  };
}
