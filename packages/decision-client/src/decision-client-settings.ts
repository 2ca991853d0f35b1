/** Where decisions come from and how long they may take. Fixed for the life of a client. */
export interface DecisionClientSettings {
  /** Base address of the gateway, `http:` or `https:`; a path is kept as a prefix of the endpoint's. */
  readonly gatewayUrl: URL;
  /** Null while the gateway runs without authentication. */
  readonly apiKey: string | null;
  /** Sent as X-Svc-Org-Id, which may only repeat the key's own organization. */
  readonly orgId: string | null;
  /** Milliseconds for everything together: connecting, headers and body. */
  readonly timeoutMs: number;
  /**
   * True where the reason of a deny reaches the one who set the API key: it then repeats why the gateway
   * refused a question. By default its reason says no more than the status.
   */
  readonly explainsRefusals?: boolean;
}
