import type { SecretPlace } from "@svc/store/ports/secret-store";
import type { SealedSecrets } from "../webhooks/sealed-secrets.ts";

/** Secrets by their places, as text. */
export class MemorySecrets implements SealedSecrets {
  readonly kept = new Map<string, string>();

  async put(place: SecretPlace, text: string): Promise<void> {
    this.kept.set(keyOf(place), text);
  }

  async get(place: SecretPlace): Promise<string | null> {
    return this.kept.get(keyOf(place)) ?? null;
  }

  async remove(place: SecretPlace): Promise<boolean> {
    return this.kept.delete(keyOf(place));
  }
}

function keyOf({ org, kind, id }: SecretPlace): string {
  return JSON.stringify([org, kind, id]);
}
