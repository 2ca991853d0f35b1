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
    [{ SVC_PAGERDUTY_URL: "events.pagerduty.com" }, "SVC_PAGERDUTY_URL"],
  ])("refuse %j and name %s", (env, variable) => {
    expect(() => readSettings(env)).toThrow(variable);
  });
});
