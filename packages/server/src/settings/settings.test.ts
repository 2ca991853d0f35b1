import { describe, expect, it } from "vitest";
import { SERVER_ENVIRONMENT } from "./server-environment.ts";
import { readSettings } from "./settings.ts";

describe("readSettings", () => {
  it("has a safe default for everything", () => {
    expect(readSettings({})).toEqual({
      listen: { host: "127.0.0.1", port: 8080 },
      role: "all",
      dataDir: "./.svc",
      auditRetentionDays: null,
      databaseUrl: null,
      publicUrl: "http://localhost:8080",
      bootstrapKey: null,
      authentication: "on",
      corsOrigins: [],
      gatewayId: null,
      fastLane: "on",
      secretsKeys: null,
      tls: { SVC_TLS_CERT_FILE: null, SVC_TLS_KEY_FILE: null, SVC_TLS_CLIENT_CA_FILE: null },
      oidc: {
        providers: [],
        claims: { name: "name", groups: "groups", organization: null, roles: [] },
        scopes: "openid profile email",
      },
      smtp: null,
      pagerdutyUrl: "https://events.pagerduty.com",
      telemetry: expect.objectContaining({ OTEL_EXPORTER_OTLP_ENDPOINT: null }),
      outbound: { allow: [], allowPrivate: false, caFile: null },
      trustedProxies: SERVER_ENVIRONMENT.SVC_TRUSTED_PROXIES.fallback,
      logLevel: "info",
      logFormat: "auto",
      docsUrl: "",
    });
  });

  // proves API-40
  it("names pages about reasons by the public address only where somebody set it", () => {
    const { publicUrl, docsUrl } = readSettings({ SVC_PUBLIC_URL: "http://localhost:8080/" });
    expect([publicUrl, docsUrl]).toEqual(["http://localhost:8080", "http://localhost:8080"]);
  });

  it.each([
    ["127.0.0.1:8081", "http://localhost:8081"],
    ["0.0.0.0:9000", "http://localhost:9000"],
    ["10.0.0.5:8080", "http://10.0.0.5:8080"],
    ["127.0.0.1:0", "http://localhost:8080"],
  ])("leads approvers to the address that it listens at: %s", (SVC_LISTEN, url) => {
    expect(readSettings({ SVC_LISTEN }).publicUrl).toBe(url);
    expect(readSettings({ SVC_LISTEN, SVC_PUBLIC_URL: "https://a.example" }).publicUrl).toBe(
      "https://a.example",
    );
  });

  it.each([
    ["127.0.0.1:8081", "https://localhost:8081"],
    ["127.0.0.1:0", "https://localhost:8080"],
  ])("leads approvers over https to a listener of TLS: %s", (SVC_LISTEN, url) => {
    const { publicUrl } = readSettings({ SVC_LISTEN, SVC_TLS_CERT_FILE: "a.crt", SVC_TLS_KEY_FILE: "a.key" });
    expect(publicUrl).toBe(url);
  });

  // proves AUTH-05, OPS-02, FAIR-20
  it.each([
    [{ SVC_LISTEN: "8080" }, "SVC_LISTEN: expected host:port"],
    [{ SVC_LISTEN: "127.0.0.1:99999" }, "SVC_LISTEN: expected host:port"],
    [{ SVC_AUTH: "no" }, "SVC_AUTH: expected one of on, off"],
    [{ SVC_AUTH: "off", SVC_LISTEN: "0.0.0.0:8080" }, "SVC_AUTH: expected on while SVC_LISTEN is 0.0.0.0"],
    [{ SVC_FAST_LANE: "yes" }, "SVC_FAST_LANE: expected one of on, off"],
    [{ SVC_DATABASE_URL: "mysql://x" }, "SVC_DATABASE_URL: expected a postgres:// address"],
    [{ SVC_PUBLIC_URL: "ftp://x" }, "SVC_PUBLIC_URL: expected an http"],
    [{ SVC_GATEWAY_ID: "a b" }, "SVC_GATEWAY_ID: expected 1 to 128"],
    [{ SVC_CORS_ORIGINS: "*" }, "SVC_CORS_ORIGINS: expected exact origins"],
    [{ SVC_TRUSTED_PROXIES: "proxy" }, "SVC_TRUSTED_PROXIES: expected IP addresses or networks"],
    [{ SVC_OUTBOUND_ALLOW: "http://hooks.internal" }, "SVC_OUTBOUND_ALLOW: expected hosts, IPv4 addresses"],
    [{ SVC_OUTBOUND_ALLOW: "a.internal,fd00::1" }, /IPv6 in brackets .*; entry 2 is none/],
    [{ SVC_SECRETS_KEY: "hunter2" }, /^(?!.*hunter2).*SVC_SECRETS_KEY: expected 32 random bytes in base64/s],
    [{ SVC_WEBHOOK_ALLOW_PRIVATE: "yes" }, "SVC_WEBHOOK_ALLOW_PRIVATE: expected one of true, false"],
    [{ SVC_ROLE: "server" }, "SVC_ROLE: expected one of all"],
    [{ SVC_ROLE: "gateway" }, "SVC_DATABASE_URL: expected the PostgreSQL"],
    [{ SVC_DATABASE_URL: "postgres://db/svc" }, /SVC_SECRETS_KEY: .* `openssl rand -base64 32`, keep it in/],
  ])("stops the start on %j, naming the variable", (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });

  it("K2: never repeats a malformed secret", () => {
    expect(() => readSettings({ SVC_BOOTSTRAP_API_KEY: "svc_hunter2" })).toThrow(
      /^(?!.*hunter2).*SVC_BOOTSTRAP_API_KEY/s,
    );
  });
});
