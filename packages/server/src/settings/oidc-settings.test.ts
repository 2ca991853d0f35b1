import { expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const ROLES = { roles: [{ claim: "groups", value: "finance", role: "approver" }] };

const ENV = {
  SVC_OIDC_ISSUER: "https://one.example, https://two.example/realms/a",
  SVC_OIDC_CLIENT_ID: "svc,svc-two",
  SVC_OIDC_CLIENT_SECRET: "secret,",
  SVC_OIDC_CLAIMS: JSON.stringify(ROLES),
};

it("reads several providers, with a secret or as a public client, and what claims mean", () => {
  expect(readSettings(ENV).oidc).toEqual({
    providers: [
      { issuer: "https://one.example", clientId: "svc", clientSecret: "secret" },
      { issuer: "https://two.example/realms/a", clientId: "svc-two", clientSecret: null },
    ],
    claims: { name: "name", groups: "groups", organization: null, ...ROLES },
    scopes: "openid profile email",
  });
  expect(readSettings({}).oidc.providers).toEqual([]);
});

it.each<readonly [variable: string, changed: Readonly<Record<string, string>>]>([
  ["SVC_OIDC_ISSUER", { SVC_OIDC_ISSUER: "one.example" }],
  ["SVC_OIDC_ISSUER", { SVC_OIDC_ISSUER: "https://one.example,http://one.example/" }],
  ["SVC_OIDC_ISSUER", { SVC_AUTH: "off" }],
  ["SVC_OIDC_CLIENT_ID", { SVC_OIDC_CLIENT_ID: "svc" }],
  ["SVC_OIDC_CLIENT_ID", { SVC_OIDC_CLIENT_ID: "svc," }],
  ["SVC_OIDC_CLIENT_SECRET", { SVC_OIDC_CLIENT_SECRET: "secret" }],
  ["SVC_OIDC_CLAIMS", { SVC_OIDC_CLAIMS: "" }],
  ["SVC_OIDC_CLAIMS", { SVC_OIDC_CLAIMS: "groups" }],
  ["SVC_OIDC_CLAIMS", { SVC_OIDC_CLAIMS: '{"roles":[{"claim":"g","value":"v","role":"agent"}]}' }],
  ["SVC_OIDC_CLAIMS", { SVC_OIDC_CLAIMS: '{"role":[]}' }],
])("a start without a sound %s is refused: %j", (variable, changed) => {
  expect(() => readSettings({ ...ENV, ...changed })).toThrow(variable);
});
