import { isIP } from "node:net";
import type { SmtpSettings, SmtpTls } from "@svc/outbox/smtp-settings";
import type { EnvironmentVariable } from "@svc/process/environment-table";
import { parseHttpUrl, parseInteger, parseOneOf, parseText } from "@svc/process/parsers";

const PORTS: Readonly<Record<SmtpTls, number>> = { starttls: 587, implicit: 465, off: 25 };

const MAX_PORT = 65_535;

/** Characters of an address of mail, and of a name in DNS. */
const MAX_FROM = 254;
const MAX_HOST = 253;

const HOST = /^(?:(?!-)[a-z0-9_-]{1,63}(?<!-)\.)*(?!-)[a-z0-9_-]{1,63}(?<!-)\.?$/i;

const FROM = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;

interface SmtpVariables {
  readonly SVC_SMTP_HOST: EnvironmentVariable<string | null>;
  readonly SVC_SMTP_PORT: EnvironmentVariable<number | null>;
  readonly SVC_SMTP_USER: EnvironmentVariable<string | null>;
  readonly SVC_SMTP_PASSWORD: EnvironmentVariable<string | null>;
  readonly SVC_SMTP_FROM: EnvironmentVariable<string | null>;
  readonly SVC_SMTP_TLS: EnvironmentVariable<SmtpTls>;
  readonly SVC_PAGERDUTY_URL: EnvironmentVariable<string>;
}

/** What notification channels need beside their addresses. */
export const CHANNEL_VARIABLES: SmtpVariables = {
  SVC_SMTP_HOST: {
    parse: parseHost,
    fallback: null,
    defaultText: "none",
    meaning: "the server that takes mail of notification channels; without it none is sent",
  },
  SVC_SMTP_PORT: {
    parse: parseInteger(1, MAX_PORT),
    fallback: null,
    defaultText: "587, 465 or 25, as SVC_SMTP_TLS says",
    meaning: "its port",
  },
  SVC_SMTP_USER: {
    parse: parseText,
    fallback: null,
    defaultText: "none",
    meaning: "who signs in at it",
  },
  SVC_SMTP_PASSWORD: {
    parse: parseText,
    fallback: null,
    defaultText: "none",
    meaning: "the password of SVC_SMTP_USER",
    secret: true,
  },
  SVC_SMTP_FROM: {
    parse: parseFrom,
    fallback: null,
    defaultText: "none",
    meaning: "the address that mail comes from",
  },
  SVC_SMTP_TLS: {
    parse: parseOneOf(["starttls", "implicit", "off"]),
    fallback: "starttls",
    defaultText: "starttls",
    meaning:
      "starttls encrypts after the greeting, implicit from the first byte; off is plaintext, which reaches " +
      "private addresses alone",
  },
  SVC_PAGERDUTY_URL: {
    parse: (text) => parseHttpUrl(text).href.replace(/\/$/, ""),
    fallback: "https://events.pagerduty.com",
    defaultText: "https://events.pagerduty.com",
    meaning: "the Events API v2 that pagers are told through, such as https://events.eu.pagerduty.com",
  },
};

type SmtpValues = {
  readonly [Name in Exclude<keyof SmtpVariables, "SVC_PAGERDUTY_URL">]: SmtpVariables[Name]["fallback"];
};

/** Null: no mail is sent. @throws naming the variable that is missing */
export function smtpSettings(values: SmtpValues): SmtpSettings | null {
  const { SVC_SMTP_HOST: host, SVC_SMTP_TLS: tls, SVC_SMTP_FROM: from } = values;
  const { SVC_SMTP_USER: user, SVC_SMTP_PASSWORD: password } = values;
  if (host === null) {
    refuseWithoutHost(values);
    return null;
  }
  if (from === null)
    throw new Error(
      "SVC_SMTP_FROM: expected the address that mail comes from, because SVC_SMTP_HOST is set; found none",
    );
  if ((user === null) !== (password === null))
    throw new Error("SVC_SMTP_USER and SVC_SMTP_PASSWORD: expected both or neither");
  if (user !== null && tls === "off")
    throw new Error("SVC_SMTP_TLS: expected starttls or implicit with SVC_SMTP_USER: off shows the password");
  return { host, port: values.SVC_SMTP_PORT ?? PORTS[tls], user, password, from, tls };
}

/** Nobody would be told: no mail is sent without a server. */
function refuseWithoutHost(values: SmtpValues): void {
  const others = ["SVC_SMTP_PORT", "SVC_SMTP_USER", "SVC_SMTP_PASSWORD", "SVC_SMTP_FROM"] as const;
  const set = others.find((name) => values[name] !== null);
  if (set === undefined) return;
  throw new Error(
    `SVC_SMTP_HOST: expected the server that takes mail, because ${set} is set; found none. Set it, or ` +
      `leave ${set} out`,
  );
}

function parseHost(text: string): string {
  const isName = text.length <= MAX_HOST && HOST.test(text) && !/^[0-9.]+$/.test(text);
  if (isName || isIP(text) !== 0) return text;
  throw new Error("a host name or an IP address, such as mail.example.com: the port is SVC_SMTP_PORT");
}

function parseFrom(text: string): string {
  if (FROM.test(text) && text.length <= MAX_FROM) return text;
  throw new Error("one mail address, such as svc@example.com");
}
