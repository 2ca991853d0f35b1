import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const MAIL = { SVC_SMTP_HOST: "mail.example", SVC_SMTP_FROM: "svc@example.com" };

describe("settings of notification channels", () => {
  it.each([
    [{}, { port: 587, tls: "starttls", user: null }],
    [{ SVC_SMTP_TLS: "implicit" }, { port: 465 }],
    [{ SVC_SMTP_TLS: "off" }, { port: 25 }],
    [
      { SVC_SMTP_PORT: "2525", SVC_SMTP_USER: "svc", SVC_SMTP_PASSWORD: "p" },
      { port: 2_525, user: "svc" },
    ],
  ])("send mail with %j", (env, wanted) => {
    expect(readSettings({ ...MAIL, ...env }).smtp).toMatchObject({ host: "mail.example", ...wanted });
  });

  it.each([
    [{ SVC_SMTP_HOST: "mail.example" }, "SVC_SMTP_FROM"],
    [{ ...MAIL, SVC_SMTP_FROM: "Svc" }, "SVC_SMTP_FROM"],
    [{ ...MAIL, SVC_SMTP_USER: "svc" }, "SVC_SMTP_PASSWORD"],
    [{ ...MAIL, SVC_SMTP_USER: "svc", SVC_SMTP_PASSWORD: "p", SVC_SMTP_TLS: "off" }, "SVC_SMTP_TLS"],
    [{ ...MAIL, SVC_SMTP_PORT: "0" }, "SVC_SMTP_PORT"],
    [{ ...MAIL, SVC_SMTP_TLS: "ssl" }, "SVC_SMTP_TLS"],
    [{ ...MAIL, SVC_SMTP_PORT: "65536" }, "SVC_SMTP_PORT"],
    [{ ...MAIL, SVC_SMTP_PASSWORD: "p" }, "SVC_SMTP_USER"],
    [{ ...MAIL, SVC_SMTP_FROM: "a@b,c@d" }, "SVC_SMTP_FROM"],
    [{ ...MAIL, SVC_SMTP_FROM: "Svc <svc@example.com>" }, "SVC_SMTP_FROM"],
    [{ ...MAIL, SVC_SMTP_FROM: `${"a".repeat(255)}@example.com` }, "SVC_SMTP_FROM"],
    [{ SVC_SMTP_FROM: "svc@example.com" }, "SVC_SMTP_HOST"],
    [{ SVC_SMTP_PORT: "25" }, "SVC_SMTP_HOST"],
    [{ SVC_SMTP_USER: "svc", SVC_SMTP_PASSWORD: "p" }, "SVC_SMTP_HOST"],
    [{ SVC_PAGERDUTY_URL: "events.pagerduty.com" }, "SVC_PAGERDUTY_URL"],
  ])("refuse %j and name %s", (env, variable) => {
    expect(() => readSettings(env)).toThrow(variable);
  });

  it.each([
    "mail.example:587",
    "smtp://mail.example",
    "smtps://svc:secret@mail.example",
    "mail example",
    "-mail.example",
    "mail..example",
    "10.0.0",
    "[::1]",
    "a".repeat(254),
  ])("take no mail server called %s, and show no password", (host) => {
    const read = () => readSettings({ ...MAIL, SVC_SMTP_HOST: host });
    expect(read).toThrow(/SVC_SMTP_HOST: expected a host name or an IP address/);
    expect(read).not.toThrow("secret");
  });

  it.each(["mail", "mail.example.", "smtp_relay.example", "10.0.0.7", "::1"])("take %s", (host) => {
    expect(readSettings({ ...MAIL, SVC_SMTP_HOST: host }).smtp).toMatchObject({ host });
  });
});
