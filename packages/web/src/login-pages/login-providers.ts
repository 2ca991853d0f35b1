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
  /** The key of the login of the person whom the provider sent back. */
  readonly finish: (attempt: LoginAttempt, returned: URL) => Promise<LoginStep<string>>;
}
