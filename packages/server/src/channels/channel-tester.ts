import type { ChannelTester } from "@svc/control-plane/opened-channel";
import { lazyMailSender } from "@svc/outbox/lazy-mail-sender";
import { systemClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import type { ServerParts } from "../start/server-parts.ts";

/** Sends tests at once, from whichever process is asked. Most send none, and load nothing for it. */
export function channelTester({
  outbound: dialer,
  settings: { smtp, publicUrl, pagerdutyUrl },
}: Pick<ServerParts, "outbound" | "settings">): ChannelTester {
  const clock = systemClock;
  const mail = smtp === null ? null : lazyMailSender({ settings: smtp, dialer, clock });
  const sending = { dialer, clock, publicUrl, pagerdutyUrl, mail };
  return {
    test: async (org, address) => {
      const { sendTest } = await import("@svc/outbox/channel-destination");
      const outcome = await sendTest(sending, { org, id: randomId("test"), address });
      const { status, fault, answer, latencyMs } = outcome;
      return { delivered: outcome.kind === "delivered", status, fault, answer, latency_ms: latencyMs };
    },
  };
}
