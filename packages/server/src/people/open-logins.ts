import { DEFAULT_ORG } from "@svc/contract/execute-request";
import { issuerPlace } from "@svc/contract/person-id";
import type { Principal } from "@svc/contract/principal";
import { continueLogin } from "@svc/control-plane/continue-login";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { signInPerson } from "@svc/control-plane/sign-in-person";
import type { Authentication } from "@svc/http-api/authentication";
import type { LoginClaims, LoginProvider, LoginResult } from "@svc/identity/login-provider";
import { systemClock } from "@svc/process/clock";
import type { LoginProviders, LoginStep } from "@svc/web/login-providers";
import type { Logger } from "pino";
import type { OidcProvider } from "../settings/oidc-settings.ts";
import type { ServerSettings } from "../settings/settings.ts";
import type { Outbound } from "../start/open-outbound.ts";
import { identityFetch } from "./open-identity-tokens.ts";

export interface LoginsParts {
  readonly settings: Pick<ServerSettings, "oidc">;
  readonly outbound: Outbound;
  readonly controlPlane: ControlPlanePorts;
  /** Authenticates by the text of an API key, which may have been made a moment ago. */
  readonly authenticateKey: (text: string) => Promise<Authentication>;
  readonly log: Pick<Logger, "warn">;
}

const KEYS_WORK = "API keys work meanwhile, and who has signed in stays so until the login ends.";

/** Loads what speaks OpenID Connect when the first login begins: most servers have none. */
export function openLogins(parts: LoginsParts): LoginProviders {
  const { providers, scopes } = parts.settings.oidc;
  const opened = new Map<OidcProvider, Promise<LoginProvider>>();
  const providerOf = (at: number): Promise<LoginProvider> | null => {
    const settings = providers[at];
    if (settings === undefined) return null;
    const known = opened.get(settings) ?? openProvider(settings, parts, scopes);
    opened.set(settings, known);
    return known;
  };
  return {
    names: providers.map(({ issuer }) => issuerPlace(issuer)),
    begin: async (attempt, redirectUri) => {
      const provider = await providerOf(attempt.provider);
      return provider === null ? UNKNOWN : stepOf(parts, await provider.begin(redirectUri, attempt));
    },
    finish: async (attempt, returned) => {
      const provider = await providerOf(attempt.provider);
      const issuer = providers[attempt.provider]?.issuer;
      if (provider === null || issuer === undefined) return UNKNOWN;
      const claims = stepOf(parts, await provider.finish(returned, attempt));
      return claims.kind === "problem" ? claims : signIn(parts, issuer, claims.value);
    },
  };
}

const UNKNOWN = { kind: "problem", status: 404, detail: "This server has no such provider." } as const;

async function openProvider(
  { issuer, clientId, clientSecret }: OidcProvider,
  { outbound }: LoginsParts,
  scopes: string,
): Promise<LoginProvider> {
  const { LoginProvider } = await import("@svc/identity/login-provider");
  const fetch = identityFetch(outbound);
  return new LoginProvider({ issuer, clientId, clientSecret, scopes }, { fetch, clock: systemClock });
}

/** What a provider answered goes into the log. The person learns what it means for them. */
function stepOf<Value>({ log }: LoginsParts, result: LoginResult<Value>): LoginStep<Value> {
  switch (result.kind) {
    case "ok":
      return result;
    case "away":
      log.warn({ reason: result.reason }, "an identity provider did not answer");
      return { kind: "problem", status: 503, detail: `Your provider does not answer now. ${KEYS_WORK}` };
    case "refused":
      log.warn({ reason: result.reason }, "a login was refused");
      return {
        kind: "problem",
        status: 403,
        detail:
          `The answer of your provider proves nothing: ${result.reason}. Sign in again. If it happens each ` +
          "time, compare the clocks of this server and of the provider, and the settings of the client.",
      };
  }
}

async function signIn(
  { settings, controlPlane, authenticateKey, log }: LoginsParts,
  issuer: string,
  claims: LoginClaims,
): ReturnType<LoginProviders["finish"]> {
  const { readPerson } = await import("@svc/identity/read-person");
  const read = readPerson({ issuer, org: DEFAULT_ORG }, claims, settings.oidc.claims);
  if (read.kind === "refused") {
    log.warn({ issuer, reason: read.reason }, "a person may not sign in");
    return { kind: "problem", status: 403, detail: `You may not sign in: ${read.reason}.` };
  }
  const issued = await signInPerson(controlPlane, read.person);
  if (issued.kind === "problem") {
    const { status, detail } = issued.problem;
    return { kind: "problem", status, detail };
  }
  const { key } = issued.value;
  const known = await authenticateKey(key);
  if (known.kind === "principal") return { kind: "ok", value: key };
  return { kind: "problem", status: known.problem.status, detail: known.problem.detail };
}

/** A key of the person's login, sealed for the holder of this public key. */
export async function handOver(
  controlPlane: ControlPlanePorts,
  principal: Principal,
  publicKey: string,
): Promise<LoginStep<string>> {
  const issued = await continueLogin(controlPlane, principal);
  if (issued.kind === "problem")
    return { kind: "problem", status: issued.problem.status, detail: issued.problem.detail };
  const { sealKey } = await import("@svc/identity/seal-key");
  return { kind: "ok", value: await sealKey(issued.value.key, publicKey) };
}
