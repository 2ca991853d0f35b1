/** What the Rego module of a policy said of a call, with secrets masked. */
export type RegoRecord =
  | { readonly deny: readonly string[]; readonly require_approval: readonly string[] }
  /** Why it could not be evaluated, as a word such as `rego_timeout`. */
  | { readonly failed: string };
