/** Who asks: the key that authenticated the request and the organization it belongs to. */
export interface Principal {
  /** Id of the key, or `anonymous` while authentication is off. Goes into audit rows. */
  readonly id: string;
  readonly org: string;
}

/** The principal of every request while authentication is off. */
export const ANONYMOUS = "anonymous";
