/** What a key of the deployment is for. `digest`: keyed digests in audit rows. */
export type DeploymentKeyName = "digest";

/** Secrets of the deployment itself, the same for every process on one database. */
export interface DeploymentKeyStore {
  /**
   * The key of this name. A database that has none stores the candidate, so every caller gets the same key,
   * also when several ask at once.
   */
  deploymentKey(name: DeploymentKeyName, candidate: string): Promise<string>;
}
