import { isIP } from "node:net";
import { renderMail } from "@svc/channels/mail";
import type { Message } from "@svc/channels/notice";
import type { OutboundDialer } from "@svc/outbound/outbound-dialer";
import type { MonotonicClock } from "@svc/process/clock";
import { createTransport } from "nodemailer";
import type { AttemptOutcome } from "../destination.ts";
import type { SmtpSettings } from "./smtp-settings.ts";

interface Mail {
  readonly message: Message;
  readonly id: string;
  readonly signal?: AbortSignal | undefined;
}

export interface MailSender {
  /** Never rejects because of the server. `id`: of the delivery, which names the mail. `signal` ends it. */
  send(to: readonly string[], mail: Mail): Promise<AttemptOutcome>;
}

export interface MailParts {
  readonly settings: SmtpSettings;
  readonly dialer: Pick<OutboundDialer, "connect" | "secureContext">;
  readonly clock: MonotonicClock;
}

/** Milliseconds for the connection, and then for the whole exchange with the server. */
const DEADLINE_MS = 15_000;

const TLS = { minVersion: "TLSv1.2", rejectUnauthorized: true } as const;

/** Statuses with which a server refuses a mail for good, and not who sends it. */
const REFUSED = { least: 550, below: 560 };

export function createMailSender({ settings, dialer, clock }: MailParts): MailSender {
  const { host, port, user, password, from, tls } = settings;
  const domain = from.slice(from.lastIndexOf("@") + 1);
  const sendMail = async (to: readonly string[], { message, id, signal }: Mail): Promise<string> => {
    const isEncrypted = tls !== "off";
    const connection = await dialer.connect({
      host,
      port,
      isEncrypted,
      deadlineMs: DEADLINE_MS,
      signal,
    });
    const transport = createTransport({
      connection,
      host,
      port,
      secure: tls === "implicit",
      requireTLS: tls === "starttls",
      ignoreTLS: tls === "off",
      tls: {
        ...TLS,
        // An address is not a name: the certificate must have the address.
        ...(isIP(host) === 0 ? { servername: host } : {}),
        secureContext: await dialer.secureContext(),
      },
      ...(user === null ? {} : { auth: { user, pass: password ?? "" } }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const deadline = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ...(signal ? [signal] : [])]);
    const onLate = (): void => {
      connection.destroy(new Error(`the server did not take the mail within ${String(DEADLINE_MS)} ms`));
    };
    deadline.addEventListener("abort", onLate);
    try {
      deadline.throwIfAborted();
      const sent = await transport.sendMail({
        ...renderMail(message),
        from,
        to: [...to],
        messageId: `<${id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
      return sent.response;
    } finally {
      deadline.removeEventListener("abort", onLate);
      transport.close();
      connection.destroy();
    }
  };
  return {
    send: async (to, mail) => {
      const startedMs = clock.nowMs();
      const ended = await sendMail(to, mail).then(delivered, failed);
      return { ...ended, latencyMs: Math.round(clock.nowMs() - startedMs) };
    },
  };
}

type Ended = Omit<AttemptOutcome, "latencyMs">;

/** Characters of an answer that are kept. */
const SHOWN_ANSWER = 1_024;

function delivered(answer: string): Ended {
  return {
    kind: "delivered",
    status: null,
    fault: null,
    answer: answer.slice(0, SHOWN_ANSWER),
    retryAfterMs: null,
  };
}

function failed(error: unknown): Ended {
  const { responseCode = null, response = "" } = (error ?? {}) as {
    readonly responseCode?: number | null;
    readonly response?: string;
  };
  const isRefused = responseCode !== null && responseCode >= REFUSED.least && responseCode < REFUSED.below;
  const fault = error instanceof Error ? error.message : String(error);
  const answer = response.slice(0, SHOWN_ANSWER);
  return { kind: isRefused ? "refused" : "failed", status: responseCode, fault, answer, retryAfterMs: null };
}
