/** What a key of the deployment is for. `digest`: digests in audit rows. `pages`: logins in browsers. */
export type DeploymentKeyName = "digest" | "pages";

/** Secrets of the deployment itself, the same for every process on one database. */
export interface DeploymentKeyStore {
  /**
   * The key of this name. A database that has none stores the candidate, so every caller gets the same key,
   * also when several ask at once.
   */
  deploymentKey(name: DeploymentKeyName, candidate: string): Promise<string>;
}
