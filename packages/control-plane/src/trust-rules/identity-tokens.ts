/** The claims of a token, as JSON has them. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** What a token says of itself before anything is proved. Null: it says none of these. */
export interface UnprovedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
}

export interface TokenOfIssuer {
  readonly token: string;
  readonly issuer: string;
  readonly audience: string;
  /** Where the keys of the issuer are; null: where its discovery says. */
  readonly jwksUri: string | null;
}

/**
 * `refused`: the token proves nothing. `unreachable`: the keys of the issuer could not be read, so nothing is
 * known of the token. `unknown_key`: its key was not among those that were read a moment ago, and the issuer
 * is asked again after some seconds. The reasons are for people.
 */
export type ProvedToken =
  | { readonly kind: "proved"; readonly claims: TokenClaims }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "unknown_key"; readonly retryS: number };

export interface IdentityTokens {
  /** Reads a token without proving it, to find out whose keys could prove it. */
  read(token: string): Promise<UnprovedToken | null>;
  /** Why no keys can ever be read at this address, whatever answers there; null: they may be. */
  refuseAddress(url: string): Promise<string | null>;
  /** Proves signature, issuer, audience and time. */
  prove(asked: TokenOfIssuer): Promise<ProvedToken>;
}
