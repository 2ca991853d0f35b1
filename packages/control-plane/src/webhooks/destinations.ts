/** Judges the addresses that people name. */
export interface Destinations {
  /**
   * Why nothing may be sent there, as a sentence; null: it may be. Resolves the name of the host,
   * and refuses one that it cannot find unless those are accepted.
   */
  judge(url: string, unknownHosts?: "refused" | "accepted"): Promise<string | null>;
}
