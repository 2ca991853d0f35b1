import { parseIntegrationCreation } from "@svc/contract/integration";
import { INTEGRATION_KINDS, type IntegrationKind } from "@svc/contract/integration-kinds";
import { MAX_INTEGRATIONS_PER_ORG } from "@svc/contract/integration-limits";
import { newIntegrationCourse } from "@svc/store/ports/integration-courses";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { OPERATOR, testPorts } from "../testing/test-ports.ts";
import {
  createIntegration,
  getIntegration,
  listIntegrations,
  removeIntegration,
  updateIntegration,
} from "./integrations.ts";
import { integrationSecretPlace, openIntegration } from "./opened-integration.ts";

const SECRET = "k3v7-secret";
const URL = "https://other.example/x";

/** The least of each kind. */
const REQUESTS: Readonly<Record<IntegrationKind, JsonObject>> = {
  siem_http: { url: URL, authorization: SECRET },
  syslog: { host: "syslog.example" },
  object_store: {
    url: "https://s3.example/",
    region: "eu-central-1",
    bucket: "evidence",
    access_key_id: "AKIA1",
    secret_access_key: SECRET,
  },
  otlp: { url: URL, authorization: SECRET },
  github: { repository: "acme/agents", token: SECRET },
};

function creationOf(kind: IntegrationKind, changes: JsonObject = {}) {
  const parsed = parseIntegrationCreation({ kind, name: "one", ...REQUESTS[kind], ...changes });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.value;
}

async function madeOf(kind: IntegrationKind, ports = testPorts()) {
  const made = await createIntegration(ports, OPERATOR, creationOf(kind));
  if (made.kind === "problem") throw new Error(made.problem.detail);
  return { ports, shown: made.value };
}

describe("an integration", () => {
  // proves INTG-09
  it.each(INTEGRATION_KINDS)(
    "of kind %s is made, read, listed and removed, and shows no secret",
    async (kind) => {
      const { ports, shown } = await madeOf(kind);
      const read = await getIntegration(ports, OPERATOR, shown.id);
      const health = kind === "github" ? null : { state: "healthy", unsent: expect.any(Number) as number };
      expect(read).toMatchObject({ kind: "ok", value: { ...shown, health } });
      const listed = await listIntegrations(ports, OPERATOR, { limit: 10, after: null });
      expect(listed).toMatchObject({ value: { items: [shown] } });
      const record = await ports.integrations.find(OPERATOR.org, shown.id);
      if (record === null) throw new Error("the record is gone");
      expect(JSON.stringify([shown, record, ports.database.auditRows, ports.logged])).not.toContain(SECRET);
      const opened = await openIntegration(ports.sealedSecrets, OPERATOR.org, record);
      const { name: _, description: __, ...settings } = creationOf(kind);
      expect(opened).toEqual(settings);
      expect(await removeIntegration(ports, OPERATOR, shown.id)).toMatchObject({ kind: "ok" });
      expect(await ports.integrationCourses.course(shown.id)).toBeNull();
      if (record.secret_id !== null)
        expect(
          await ports.sealedSecrets.get(integrationSecretPlace(OPERATOR.org, record.secret_id)),
        ).toBeNull();
      const rows = ports.database.auditRows.filter((row) => row.kind === "integration");
      expect(rows).toMatchObject([
        { action: "created", integration_kind: kind, enabled: true },
        { action: "removed", integration_id: shown.id },
      ]);
    },
  );

  it("begins at the end of the logs, and keeps its place while it is disabled", async () => {
    const { ports, shown } = await madeOf("syslog");
    const found = await ports.integrationCourses.course(shown.id);
    expect(found).toEqual({ version: 1, course: newIntegrationCourse(new Map([["log", 0]])) });
    const update = (enabled: boolean) =>
      updateIntegration(ports, OPERATOR, { id: shown.id, update: { enabled } });
    expect(await update(false)).toMatchObject({ value: { enabled: false } });
    expect(await ports.integrations.everyInForce()).toEqual([]);
    expect(await getIntegration(ports, OPERATOR, shown.id)).toMatchObject({
      value: { health: { state: "disabled" } },
    });
    expect(await update(true)).toMatchObject({ value: { enabled: true } });
    expect(await ports.integrations.everyInForce()).toHaveLength(1);
  });

  // proves INTG-09
  it("takes a new secret in place of the old one, and needs it for another address", async () => {
    const { ports, shown } = await madeOf("siem_http");
    const before = await ports.integrations.find(OPERATOR.org, shown.id);
    const update = async (changes: JsonObject) =>
      updateIntegration(ports, OPERATOR, { id: shown.id, update: changes });
    const elsewhere = { url: "https://elsewhere.example/" };
    expect(await update(elsewhere)).toMatchObject({
      problem: { errors: [{ pointer: "/authorization", fix: expect.any(String) as string }] },
    });
    expect(await update({ url: `${URL}/deeper` })).toMatchObject({ kind: "ok" });
    expect(await update({ ...elsewhere, authorization: "another" })).toMatchObject({ kind: "ok" });
    const old = integrationSecretPlace(OPERATOR.org, before?.secret_id ?? "");
    expect(await ports.sealedSecrets.get(old)).toBeNull();
    expect(await update({ authorization: null })).toMatchObject({ value: { authorization: null } });
    expect(await update({ ...REQUESTS.siem_http, authorization: null })).toMatchObject({ kind: "ok" });
  });

  it("refuses members of another kind, and more of them than an organization can have", async () => {
    const { ports, shown } = await madeOf("syslog");
    const wrong = await updateIntegration(ports, OPERATOR, { id: shown.id, update: { bucket: "b" } });
    expect(wrong).toMatchObject({ problem: { code: "invalid_request", errors: [{ pointer: "/bucket" }] } });
    for (let made = 1; made < MAX_INTEGRATIONS_PER_ORG; made += 1) await madeOf("syslog", ports);
    expect(await createIntegration(ports, OPERATOR, creationOf("syslog"))).toMatchObject({
      problem: { code: "limit_reached" },
    });
  });
});

describe("the form of an integration", () => {
  it.each<[string, IntegrationKind, JsonObject, string]>([
    ["another kind", "syslog", { kind: "pigeon" }, "/kind"],
    ["a fragment", "siem_http", { url: `${URL}#x` }, "/url"],
    ["credentials in the address", "otlp", { url: "https://a:b@x.example/" }, "/url"],
    ["a line break in a secret", "siem_http", { authorization: "a\r\nb: c" }, "/authorization"],
    ["a shown secret", "github", { token: "set" }, "/token"],
    ["a prefix that climbs", "object_store", { prefix: "../" }, "/prefix"],
    ["a repository that climbs", "github", { repository: "acme/.." }, "/repository"],
    ["a port beyond the last", "syslog", { port: 65_536 }, "/port"],
    ["a bucket with a slash", "object_store", { bucket: "a/b" }, "/bucket"],
    ["no name", "syslog", { name: "" }, "/name"],
  ])("refuses %s", (_, kind, changes, pointer) => {
    const parsed = parseIntegrationCreation({ kind, name: "one", ...REQUESTS[kind], ...changes });
    expect(parsed).toMatchObject({ ok: false, errors: [{ pointer }] });
    expect(JSON.stringify(parsed)).not.toContain(SECRET);
  });
});
