import type { ClusterListener, ProcessRole } from "../ports/cluster.ts";

/**
 * The channels of NOTIFY. Each notification wakes every listening connection of the database. What each of
 * many processes says stands in rows instead: else the work would grow with the square of the processes.
 */
export const CHANNELS = {
  /** The payload is the last revision. */
  changed: "svc:control_changed",
  /** `<question id> <text>` */
  asked: "svc:asked",
} as const;

/** What each role listens to: a control process asks, and a gateway answers. */
export const CHANNELS_OF: Readonly<Record<ProcessRole, readonly string[]>> = {
  all: Object.values(CHANNELS),
  gateway: [CHANNELS.changed, CHANNELS.asked],
  control: [CHANNELS.changed],
};

/** PostgreSQL takes payloads below 8,000 bytes. */
export const MAX_PAYLOAD_BYTES = 7_999;

interface Notification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** At most as many digits as every number of them is exact. */
const REVISION = /^\d{1,15}$/;

const ASKED = /^(\S+) (.*)$/s;

/** Hands a notification on. One that cannot be read is left out, as if it had been lost. */
export function dispatch({ channel, payload = "" }: Notification, listener: ClusterListener): void {
  switch (channel) {
    case CHANNELS.changed:
      return listener.onChange(REVISION.test(payload) ? Number(payload) : null);
    case CHANNELS.asked: {
      const [, id, text] = ASKED.exec(payload) ?? [];
      if (id !== undefined && text !== undefined) listener.onQuestion({ id, text });
      return;
    }
  }
}
