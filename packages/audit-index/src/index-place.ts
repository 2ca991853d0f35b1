/** Where the logs and the index are. */
export type IndexPlace =
  | { readonly kind: "sqlite"; readonly dataDir: string }
  | { readonly kind: "postgres"; readonly url: string };
