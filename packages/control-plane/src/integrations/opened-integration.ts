import type { IntegrationCreation, IntegrationSettings } from "@svc/contract/integration";
import { SECRET_FIELDS } from "@svc/contract/integration-kinds";
import type { IntegrationRecord, IntegrationTest, PublicSettings } from "@svc/contract/integration-record";
import type { SecretPlace } from "@svc/store/ports/secret-store";
import type { SealedSecrets } from "../webhooks/sealed-secrets.ts";

/** Tries a connection. Never rejects because of the other side. */
export interface IntegrationTester {
  test(
    org: string,
    integration: { readonly id: string; readonly settings: IntegrationSettings },
  ): Promise<IntegrationTest>;
}

/** Where the secret of an integration is kept. */
export function integrationSecretPlace(org: string, id: string): SecretPlace {
  return { org, kind: "integration", id };
}

/** What is secret of a request, and what is kept beside it. */
export interface SplitSettings {
  readonly settings: PublicSettings;
  /** Null: there is none. */
  readonly secret: string | null;
  readonly enabled: boolean;
}

export function splitSettings(creation: IntegrationCreation): SplitSettings {
  const { name: _n, description: _d, ...all } = creation;
  const field = SECRET_FIELDS[creation.kind];
  const values = new Map<string, unknown>(Object.entries(all));
  const secret = field === null ? null : (values.get(field) ?? null);
  const enabled = values.get("enabled") !== false;
  if (field !== null) values.delete(field);
  values.delete("enabled");
  const settings = Object.fromEntries(values) as unknown as PublicSettings;
  return { settings, secret: typeof secret === "string" ? secret : null, enabled };
}

/** The settings with the secret that is kept beside them. */
export function joinSettings(
  { settings, disabled_at }: Pick<IntegrationRecord, "settings" | "disabled_at">,
  secret: string | null,
): IntegrationSettings {
  const field = SECRET_FIELDS[settings.kind];
  const enabled = settings.kind === "github" ? {} : { enabled: disabled_at === null };
  const hidden = field === null ? {} : { [field]: secret };
  return { ...settings, ...enabled, ...hidden } as IntegrationSettings;
}

/** @throws when the secret cannot be read */
export async function openIntegration(
  sealedSecrets: Pick<SealedSecrets, "get">,
  org: string,
  record: IntegrationRecord,
): Promise<IntegrationSettings> {
  const { id, secret_id } = record;
  if (secret_id === null) return joinSettings(record, null);
  const secret = await sealedSecrets.get(integrationSecretPlace(org, secret_id));
  if (secret === null) throw new Error(`the secret of the integration ${id} is not there`);
  return joinSettings(record, secret);
}
