import type { SecretPlace } from "@svc/store/ports/secret-store";

/** Secrets that are kept encrypted. Each call rejects when the key of the deployment is missing. */
export interface SealedSecrets {
  put(place: SecretPlace, text: string): Promise<void>;
  get(place: SecretPlace): Promise<string | null>;
  remove(place: SecretPlace): Promise<boolean>;
}

/** Where a secret of an endpoint is kept. */
export function webhookSecretPlace(org: string, id: string): SecretPlace {
  return { org, kind: "webhook", id };
}
