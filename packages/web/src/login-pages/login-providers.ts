import type { Authentication } from "@svc/http-api/authentication";
import type { RequestHead } from "@svc/http-edge/request-head";
import type { LoginAttempt } from "../session/login-attempts.ts";

/** A step of a login. `problem` is shown to the person, with the status. */
export type LoginStep<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "problem"; readonly status: number; readonly detail: string };

/** One provider that people can sign in with. */
export interface LoginProviders {
  /** What the pages call each provider, in the order of the settings. */
  readonly names: readonly string[];
  /** The address to send a browser to. */
  readonly begin: (attempt: LoginAttempt, redirectUri: string) => Promise<LoginStep<string>>;
  /** The person whom the provider sent back, as the key of their login accepts them. */
  readonly finish: (
    request: RequestHead,
    attempt: LoginAttempt,
    returned: URL,
  ) => Promise<LoginStep<Authentication & { readonly kind: "principal" }>>;
}
