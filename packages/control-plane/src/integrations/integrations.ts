import type { IntegrationCreation, IntegrationUpdate } from "@svc/contract/integration";
import { parseChangedIntegration } from "@svc/contract/integration";
import { SECRET_FIELDS } from "@svc/contract/integration-kinds";
import type {
  Integration,
  IntegrationRecord,
  IntegrationTest,
  IntegrationWithHealth,
  PublicSettings,
} from "@svc/contract/integration-record";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, readPage, readRecord } from "../call-store.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { integrationHealth } from "./integration-health.ts";
import type { IntegrationPorts } from "./integration-ports.ts";
import { integrationRow, originOf } from "./integration-row.ts";
import { integrationView } from "./integration-view.ts";
import {
  type IntegrationTester,
  joinSettings,
  openIntegration,
  splitSettings,
} from "./opened-integration.ts";
import {
  forgetIntegrationSecret,
  refuseAddress,
  sealIntegrationSecret,
  storeNewIntegration,
} from "./store-integration.ts";

const NOT_CONFIRMED =
  "The store did not confirm the change of the integration. Read the integration before you try again.";

const NOT_OPENED =
  "The secret of the integration could not be read, so nothing was tried. The log of the server says why.";

/** Stands for a secret that a change does not touch, while the rest is judged. */
const KEPT = "kept";

/** Makes an integration. It is sent what is committed from now on. */
export async function createIntegration(
  ports: IntegrationPorts,
  principal: Principal,
  creation: IntegrationCreation,
): Promise<Outcome<Integration>> {
  const { org } = principal;
  const { settings, secret, enabled } = splitSettings(creation);
  const refusal = await refuseAddress(ports, settings);
  if (refusal !== null) return refusal;
  const sealed = await sealIntegrationSecret(ports, org, secret);
  if (sealed.kind === "problem") return sealed;
  const time = ports.clock.now().toISOString();
  const record: IntegrationRecord = {
    id: ports.newId("int"),
    name: creation.name,
    description: creation.description,
    settings,
    disabled_at: enabled ? null : time,
    secret_id: sealed.value,
    created_at: time,
    created_by: principal.id,
    updated_at: time,
    updated_by: principal.id,
  };
  const problem = await storeNewIntegration(ports, principal, record);
  if (problem !== null) {
    // After a fault of the store, the record may name it.
    if (problem.problem.code !== "unavailable") await forgetIntegrationSecret(ports, org, sealed.value);
    return problem;
  }
  ports.log.info({ org, principal: principal.id, integration_id: record.id }, "integration created");
  return { kind: "ok", value: integrationView(record) };
}

/** Newest first. */
export async function listIntegrations(
  ports: Pick<IntegrationPorts, "log" | "integrations">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<Integration>>> {
  const found = await readPage(ports, page, () => ports.integrations.list(org, page));
  if (found.kind === "problem") return found;
  return { kind: "ok", value: { ...found.value, items: found.value.items.map(integrationView) } };
}

/** With how it fares. */
export async function getIntegration(
  ports: Pick<IntegrationPorts, "clock" | "log" | "integrations" | "integrationCourses" | "rows">,
  { org }: Principal,
  id: string,
): Promise<Outcome<IntegrationWithHealth>> {
  const found = await readIntegration(ports, org, id);
  if (found.kind === "problem") return found;
  const health = await integrationHealth(ports, org, found.value);
  if (health.kind === "problem") return health;
  return { kind: "ok", value: { ...integrationView(found.value), health: health.value } };
}

/** Changes what the request names. One that is enabled again goes on where it was. */
export async function updateIntegration(
  ports: IntegrationPorts,
  principal: Principal,
  { id, update }: { readonly id: string; readonly update: IntegrationUpdate },
): Promise<Outcome<Integration>> {
  const { org } = principal;
  const found = await readIntegration(ports, org, id);
  if (found.kind === "problem") return found;
  const before = found.value;
  const { kind } = before.settings;
  const known = joinSettings(before, before.secret_id === null ? null : KEPT);
  const asked = { ...known, name: before.name, description: before.description, ...update };
  const parsed = parseChangedIntegration(kind, asked);
  if (!parsed.ok) {
    const [first] = parsed.errors;
    const detail = `${first?.pointer ?? ""}: expected ${first?.expected ?? "another value"}.`;
    return refuse("invalid_request", `An integration of kind ${kind} cannot be so. ${detail}`, parsed.errors);
  }
  const { settings, secret, enabled } = splitSettings(parsed.value);
  const field = SECRET_FIELDS[kind];
  const isNewSecret = field !== null && Object.hasOwn(update, field);
  const isElsewhere = originOf(settings) !== originOf(before.settings);
  if (isElsewhere && before.secret_id !== null && !isNewSecret) return refuseOldSecret(field ?? "", settings);
  const refusal = await refuseAddress(ports, settings);
  if (refusal !== null) return refusal;
  const sealed = isNewSecret
    ? await sealIntegrationSecret(ports, org, secret)
    : { kind: "ok" as const, value: before.secret_id };
  if (sealed.kind === "problem") return sealed;
  const time = ports.clock.now().toISOString();
  const record: IntegrationRecord = {
    ...before,
    name: parsed.value.name,
    description: parsed.value.description,
    settings,
    disabled_at: enabled ? null : (before.disabled_at ?? time),
    secret_id: sealed.value,
    updated_at: time,
    updated_by: principal.id,
  };
  const row = { org, principal: principal.id, time, record, secret_changed: isNewSecret };
  const auditRow = integrationRow({ ...row, action: "updated" });
  const stored = await callStore(ports, NOT_CONFIRMED, () =>
    ports.integrations.replace({ org, auditRow, before, record }),
  );
  // After a fault of the store, the record may name either.
  if (stored.kind === "problem") return stored;
  const isDone = stored.value.kind === "replaced";
  if (isNewSecret) await forgetIntegrationSecret(ports, org, isDone ? before.secret_id : sealed.value);
  if (!isDone) return changedMeanwhile(id);
  ports.log.info({ org, principal: principal.id, integration_id: id }, "integration updated");
  return { kind: "ok", value: integrationView(record) };
}

/** Removes an integration with its secret and its place in the log. */
export async function removeIntegration(
  ports: IntegrationPorts,
  { org, id: principal }: Principal,
  id: string,
): Promise<Outcome<Integration>> {
  const found = await readIntegration(ports, org, id);
  if (found.kind === "problem") return found;
  const before = found.value;
  const time = ports.clock.now().toISOString();
  const secret_changed = before.secret_id !== null;
  const auditRow = integrationRow({
    org,
    principal,
    time,
    action: "removed",
    record: before,
    secret_changed,
  });
  const stored = await callStore(ports, NOT_CONFIRMED, () =>
    ports.integrations.remove({ org, auditRow, before }),
  );
  if (stored.kind === "problem") return stored;
  if (stored.value.kind !== "removed") return changedMeanwhile(id);
  await forgetIntegrationSecret(ports, org, before.secret_id);
  await callStore(ports, "the course of an integration that was removed is still stored", () =>
    ports.integrationCourses.remove(id),
  );
  ports.log.info({ org, principal, integration_id: id }, "integration removed");
  return { kind: "ok", value: integrationView(before) };
}

/** Sends one sample row now, or reads the repository, and says what the other side answered. */
export async function testIntegration(
  ports: IntegrationPorts & { readonly integrationTester: IntegrationTester },
  { org }: Principal,
  id: string,
): Promise<Outcome<IntegrationTest>> {
  const found = await readIntegration(ports, org, id);
  if (found.kind === "problem") return found;
  const opened = await callStore(ports, NOT_OPENED, () =>
    openIntegration(ports.sealedSecrets, org, found.value),
  );
  if (opened.kind === "problem") return opened;
  return { kind: "ok", value: await ports.integrationTester.test(org, { id, settings: opened.value }) };
}

async function readIntegration(
  ports: Pick<IntegrationPorts, "log" | "integrations">,
  org: string,
  id: string,
): Promise<Outcome<IntegrationRecord>> {
  const unknown = `This organization has no integration ${id}. GET integrations lists them.`;
  return readRecord(
    ports,
    () => ports.integrations.find(org, id),
    () => refuse("not_found", unknown),
  );
}

/** Who may change an address must not learn the secret of another one by it. */
function refuseOldSecret(field: string, settings: PublicSettings): Refusal {
  const origin = originOf(settings);
  const expected = `the secret for ${origin}, because no other address gets the stored one`;
  const fix = `send ${field} together with the address`;
  const entry = { pointer: `/${field}`, expected, found: "nothing", fix };
  return refuse("invalid_request", `${field}: expected ${expected} (${fix}).`, [entry]);
}

function changedMeanwhile(id: string) {
  return refuse("conflict", `Integration ${id} was changed meanwhile. Read it, and try again.`);
}
