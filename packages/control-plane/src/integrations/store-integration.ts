import type { IntegrationRecord, PublicSettings } from "@svc/contract/integration-record";
import type { Principal } from "@svc/contract/principal";
import { newIntegrationCourse } from "@svc/store/ports/integration-courses";
import { callStore } from "../call-store.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import type { IntegrationPorts } from "./integration-ports.ts";
import { integrationRow, originOf } from "./integration-row.ts";
import { integrationSecretPlace } from "./opened-integration.ts";

const NOT_MADE =
  "The store did not confirm the integration, so it may exist. List the integrations before you try again.";

const NOT_SEALED =
  "The secret of the integration could not be stored, so nothing was changed. The log of the server says " +
  "why; with PostgreSQL the server needs SVC_SECRETS_KEY.";

/** Refuses an address that may not be called. Each connection is judged as well. */
export async function refuseAddress(
  { destinations }: Pick<IntegrationPorts, "destinations">,
  settings: PublicSettings,
): Promise<Refusal | null> {
  const { field, url } = addressOf(settings);
  const why = await destinations.judge(url);
  if (why === null) return null;
  const expected = `an address that may be called: ${why}`;
  const found = JSON.stringify(originOf(settings));
  return refuse("invalid_request", `${field}: ${why}.`, [{ pointer: `/${field}`, expected, found }]);
}

/** Syslog over TLS is judged as HTTPS at its port is. */
function addressOf(settings: PublicSettings): { readonly field: string; readonly url: string } {
  if (settings.kind !== "syslog") return { field: "url", url: settings.url };
  const { host, port } = settings;
  const name = host.includes(":") ? `[${host}]` : host;
  return { field: "host", url: `https://${name}:${String(port)}/` };
}

/** @returns under which id; null: there is no secret */
export async function sealIntegrationSecret(
  ports: Pick<IntegrationPorts, "log" | "newId" | "sealedSecrets">,
  org: string,
  secret: string | null,
): Promise<Outcome<string | null>> {
  if (secret === null) return { kind: "ok", value: null };
  const id = ports.newId("ins");
  const put = () => ports.sealedSecrets.put(integrationSecretPlace(org, id), secret);
  const stored = await callStore(ports, NOT_SEALED, put);
  return stored.kind === "problem" ? stored : { kind: "ok", value: id };
}

/** A secret that stays behind by a fault opens nothing: no record names it. The log has the fault. */
export async function forgetIntegrationSecret(
  ports: Pick<IntegrationPorts, "log" | "sealedSecrets">,
  org: string,
  id: string | null,
): Promise<void> {
  if (id === null) return;
  await callStore(ports, "a secret of an integration that nothing uses was not removed", () =>
    ports.sealedSecrets.remove(integrationSecretPlace(org, id)),
  );
}

/** Its course begins before the record is there, so no row between the two is left out. */
export async function storeNewIntegration(
  ports: IntegrationPorts,
  { org, id: principal }: Principal,
  record: IntegrationRecord,
): Promise<Refusal | null> {
  const begun = await callStore(ports, NOT_MADE, async () => {
    const { sizes } = await ports.rows.eventRows({ from: new Map(), limit: 0, maxBytes: 1 });
    await ports.integrationCourses.begin(record.id, newIntegrationCourse(sizes));
  });
  if (begun.kind === "problem") return begun;
  const secret_changed = record.secret_id !== null;
  const time = record.created_at;
  const auditRow = integrationRow({ org, principal, time, action: "created", record, secret_changed });
  const create = () => ports.integrations.create({ org, auditRow, record });
  const stored = await callStore(ports, NOT_MADE, create);
  // Whether the record is there is not known. Without its course, it would get nothing.
  if (stored.kind === "problem") return stored;
  if (stored.value.kind === "created") return null;
  await callStore(ports, "the course of an integration that was not made stays", () =>
    ports.integrationCourses.remove(record.id),
  );
  const detail = "This organization has as many integrations as it can have. Remove one.";
  return refuse("limit_reached", detail);
}
