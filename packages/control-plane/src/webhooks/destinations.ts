/** Judges the addresses that people name. */
export interface Destinations {
  /** Why nothing may be sent there, as a sentence; null: it may be. Resolves the name of the host. */
  judge(url: string): Promise<string | null>;
}
