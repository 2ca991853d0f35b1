import type { OutboundFetch } from "@svc/outbound/outbound-fetch";
import type { MonotonicClock } from "@svc/process/clock";
import * as client from "openid-client";
import { CLOCK_SKEW_S } from "./issuer-tokens.ts";

export interface LoginClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
  readonly scopes: string;
}

/** What one login is tied to. Nobody but the browser's process knows the verifier and the nonce. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export type LoginClaims = Readonly<Record<string, unknown>>;

/** `away`: the provider gave no answer. `refused`: its answer proves nothing. The reasons are for people. */
export type LoginResult<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "away"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Milliseconds for which the document of a provider is used. */
const DISCOVERY_MS = 60 * 60 * 1_000;

/** Seconds for one request, which the dialer bounds, too. */
const TIMEOUT_S = 5;

export interface LoginProviderParts {
  readonly fetch: OutboundFetch;
  readonly clock: MonotonicClock;
}

/** Signs people in with one provider: code flow with PKCE, state, nonce and a checked signature. */
export class LoginProvider {
  readonly #client: LoginClient;
  readonly #parts: LoginProviderParts;
  #known: { readonly server: client.ServerMetadata; readonly untilMs: number } | null = null;

  constructor(loginClient: LoginClient, parts: LoginProviderParts) {
    this.#client = loginClient;
    this.#parts = parts;
  }

  /** The address that a browser is sent to. */
  async begin(redirectUri: string, { state, nonce, verifier }: LoginSecrets): Promise<LoginResult<string>> {
    return this.#ask(async (config) => {
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: this.#client.scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return url.href;
    });
  }

  /** The claims of the person that the provider has sent back to this address. */
  async finish(returned: URL, { state, nonce, verifier }: LoginSecrets): Promise<LoginResult<LoginClaims>> {
    return this.#ask(async (config) => {
      const tokens = await client.authorizationCodeGrant(config, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("the provider sent no ID token");
      if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Many providers name groups there alone. What the signed token says goes first.
      const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return { ...more, ...claims };
    });
  }

  async #ask<Value>(ask: (config: client.Configuration) => Promise<Value>): Promise<LoginResult<Value>> {
    try {
      return { kind: "ok", value: await ask(await this.#config()) };
    } catch (error) {
      return isAway(error)
        ? { kind: "away", reason: reasonOf(error) }
        : { kind: "refused", reason: reasonOf(error) };
    }
  }

  /** New for each step, so that a provider that has changed its keys is asked for them. */
  async #config(): Promise<client.Configuration> {
    const { clientId, clientSecret, issuer } = this.#client;
    const authentication = clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret);
    const metadata = { [client.clockTolerance]: CLOCK_SKEW_S };
    const config = new client.Configuration(await this.#server(), clientId, metadata, authentication);
    config[client.customFetch] = this.#parts.fetch;
    config.timeout = TIMEOUT_S;
    client.enableNonRepudiationChecks(config);
    if (isPlain(issuer)) PERMIT_PLAIN(config);
    return config;
  }

  async #server(): Promise<client.ServerMetadata> {
    const nowMs = this.#parts.clock.nowMs();
    if (this.#known !== null && nowMs < this.#known.untilMs) return this.#known.server;
    const { issuer, clientId } = this.#client;
    try {
      const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
        [client.customFetch]: this.#parts.fetch,
        execute: isPlain(issuer) ? [PERMIT_PLAIN] : [],
        timeout: TIMEOUT_S,
      });
      const server = config.serverMetadata();
      this.#known = { server, untilMs: nowMs + DISCOVERY_MS };
      return server;
    } catch (error) {
      throw new ProviderAwayError(`${issuer}: ${reasonOf(error)}`, { cause: error });
    }
  }
}

/**
 * Deprecated only so that it stands out. The library knows this function by its identity. The dialer permits
 * plain HTTP to private addresses alone.
 */
// oxlint-disable-next-line typescript/no-deprecated -- for providers on private networks
const PERMIT_PLAIN: (config: client.Configuration) => void = client.allowInsecureRequests;

function isPlain(issuer: string): boolean {
  return issuer.startsWith("http:");
}

class ProviderAwayError extends Error {
  override readonly name = "ProviderAwayError";
}

/** No answer came, or none of the provider: nothing is known of the person. */
function isAway(error: unknown): boolean {
  if (error instanceof ProviderAwayError || error instanceof TypeError) return true;
  return error instanceof client.ClientError && error.cause instanceof TypeError;
}

/** The error and its causes, without what a provider wrote of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return `the provider answered ${error.error}`;
  if (!(error instanceof Error)) return "an unknown fault";
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
