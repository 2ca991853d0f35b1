import { parseWebhookCreation, type WebhookCreation } from "@svc/contract/webhook";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../refusal.ts";
import { OPERATOR, STRANGER, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { createWebhook, tryWebhook } from "./create-webhook.ts";
import { webhookSecretPlace } from "./sealed-secrets.ts";
import {
  disableWebhook,
  getWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from "./webhooks.ts";

const PAGE = { limit: 10, after: null };
const SETTINGS = { url: "https://hooks.example/in?token=t-1", events: ["*"] };

function creation(changes: JsonObject = {}): WebhookCreation {
  const parsed = parseWebhookCreation({ ...SETTINGS, ...changes });
  return parsed.ok ? parsed.value : expect.unreachable(JSON.stringify(parsed.errors));
}

function valueOf<Value>(outcome: Outcome<Value>): Value {
  return outcome.kind === "ok" ? outcome.value : expect.unreachable(outcome.problem.detail);
}

const made = async (ports: TestPorts) => valueOf(await createWebhook(ports, OPERATOR, creation()));

/** The secrets that sign, the present one first. */
async function secretsOf(ports: TestPorts, id: string): Promise<readonly (string | null)[]> {
  const record = await ports.webhooks.find(OPERATOR.org, id);
  const ids = [record?.secret_id, record?.next_secret?.id].filter((each) => each !== undefined);
  return Promise.all(ids.map((each) => ports.sealedSecrets.get(webhookSecretPlace(OPERATOR.org, each))));
}

describe("a webhook", () => {
  it("is made with a secret that is shown once, and gets what is committed from then on", async () => {
    const ports = testPorts();
    const { secret, kind, ...shown } = await made(ports);
    expect([kind, secret]).toEqual(["issued", expect.stringMatching(/^whsec_/)]);
    expect(await secretsOf(ports, shown.id)).toEqual([secret]);
    expect(valueOf(await getWebhook(ports, OPERATOR, shown.id))).toMatchObject(shown);
    expect(valueOf(await listWebhooks(ports, OPERATOR, PAGE)).items).toEqual([shown]);
    expect(await getWebhook(ports, STRANGER, shown.id)).toMatchObject({ problem: { code: "not_found" } });
    const { sizes } = await ports.rows.eventRows({ from: new Map(), limit: 0, maxBytes: 1 });
    expect((await ports.deliveries.course(shown.id))?.course.positions.size).toBeLessThanOrEqual(sizes.size);
    const rows = ports.database.auditRows;
    expect(rows).toMatchObject([{ kind: "webhook", action: "created", origin: "https://hooks.example" }]);
    expect(JSON.stringify(rows)).not.toMatch(/whsec_|t-1/);
  });

  it.each<[changes: JsonObject, pointer: string, fix: string | undefined]>([
    [{ events: ["policy.decison"] }, "/events/0", "did you mean policy.decision?"],
    [{ events: [] }, "/events", undefined],
    [{ event: ["*"] }, "/event", "did you mean events?"],
    [{ url: 7 }, "/url", undefined],
    [{ agents: [] }, "/agents", undefined],
    [{ decisions: ["denied"] }, "/decisions/0", undefined],
  ])("is refused at its field: %j", (changes, pointer, fix) => {
    const entry = expect.objectContaining({ pointer, ...(fix === undefined ? {} : { fix }) });
    const errors = expect.arrayContaining([entry]);
    expect(parseWebhookCreation({ ...SETTINGS, ...changes })).toEqual({ ok: false, errors });
  });

  it("names an address that may be called, and namespaces that exist", async () => {
    const judge = async (): Promise<string> => "the URL must not contain credentials";
    const refusing = { ...testPorts(), destinations: { judge } };
    const asked = creation({ url: "https://user:pass@hooks.example/in" });
    const expected = "an address that may be called: the URL must not contain credentials";
    const refused = await createWebhook(refusing, OPERATOR, asked);
    expect(refused).toMatchObject({
      problem: { status: 400, errors: [{ pointer: "/url", expected, found: '"https://hooks.example"' }] },
    });
    expect(await tryWebhook(refusing, OPERATOR, asked)).toEqual(refused);
    const ports = testPorts();
    const elsewhere = creation({ namespaces: ["default", "prod"] });
    expect(await createWebhook(ports, OPERATOR, elsewhere)).toMatchObject({
      problem: { status: 400, errors: [{ pointer: "/namespaces/1", found: '"prod"' }] },
    });
    expect(await tryWebhook(ports, OPERATOR, elsewhere)).toMatchObject({ problem: { status: 400 } });
    expect(await tryWebhook(ports, OPERATOR, creation({ enabled: false }))).toMatchObject({
      value: { kind: "dry_run", ...SETTINGS, enabled: false, agents: null },
    });
    expect(valueOf(await listWebhooks(ports, OPERATOR, PAGE)).items).toEqual([]);
    expect(ports.database.auditRows).toEqual([]);
  });

  it("is one of at most 100 of an organization, and one that was removed does not count", async () => {
    const ports = testPorts();
    const first = await made(ports);
    for (let n = 1; n < 100; n += 1) await made(ports);
    const refused = await createWebhook(ports, OPERATOR, creation());
    expect(refused).toMatchObject({ problem: { code: "limit_reached" } });
    expect(await tryWebhook(ports, OPERATOR, creation())).toEqual(refused);
    expect((await removeWebhook(ports, OPERATOR, first.id)).kind).toBe("ok");
    expect(await secretsOf(ports, first.id)).toEqual([]);
    expect(await ports.deliveries.course(first.id)).toBeNull();
    expect((await createWebhook(ports, OPERATOR, creation())).kind).toBe("ok");
  });

  it("is changed in what the request names, and goes on where it was when it is enabled again", async () => {
    const ports = testPorts();
    const { id } = await made(ports);
    const update = { enabled: false, agents: ["a"] };
    expect(valueOf(await updateWebhook(ports, OPERATOR, { id, update }))).toMatchObject({
      ...SETTINGS,
      ...update,
      disabled_reason: "operator",
    });
    expect(await ports.webhooks.everyInForce()).toEqual([]);
    expect(await ports.webhooks.every()).toHaveLength(1);
    const again = valueOf(await updateWebhook(ports, OPERATOR, { id, update: { enabled: true } }));
    expect(again).toMatchObject({ enabled: true, disabled_at: null, agents: ["a"] });
    expect((await ports.deliveries.course(id))?.version).toBe(2);
  });

  it("is disabled by the service once, with a row that says why", async () => {
    const ports = testPorts();
    const { id } = await made(ports);
    for (let n = 0; n < 2; n += 1) await disableWebhook(ports, OPERATOR.org, { id, reason: "gone" });
    expect(ports.database.auditRows).toMatchObject([
      { action: "created" },
      { action: "disabled", principal: "webhooks", webhook_id: id, disabled_reason: "gone", enabled: false },
    ]);
    await disableWebhook(ports, OPERATOR.org, { id: "whk_gone", reason: "gone" });
  });
});

describe("the secret of a webhook", () => {
  const rotate = async (ports: TestPorts, id: string, overlap_seconds: number, activate = false) =>
    rotateWebhookSecret(ports, OPERATOR, { id, overlap_seconds, activate });

  it("signs beside the next one until that takes over by its time", async () => {
    const ports = testPorts();
    const { id, secret } = await made(ports);
    const next = valueOf(await rotate(ports, id, 60));
    expect(next.next_secret_at).not.toBeNull();
    expect(await secretsOf(ports, id)).toEqual([secret, next.secret]);
    await ports.time.advance(60_000);
    expect(valueOf(await getWebhook(ports, OPERATOR, id)).next_secret_at).toBeNull();
    await updateWebhook(ports, OPERATOR, { id, update: { description: "x" } });
    expect(await secretsOf(ports, id)).toEqual([next.secret]);
  });

  it("ends when the next one is activated, and at once without an overlap", async () => {
    const ports = testPorts();
    const { id } = await made(ports);
    expect(await rotate(ports, id, 0, true)).toMatchObject({ problem: { code: "conflict" } });
    const next = valueOf(await rotate(ports, id, 60));
    expect(valueOf(await rotate(ports, id, 0, true))).toMatchObject({ secret: null, next_secret_at: null });
    expect(await secretsOf(ports, id)).toEqual([next.secret]);
    const stolen = valueOf(await rotate(ports, id, 60));
    const detail = expect.stringContaining(
      "activate, or replace both secrets at once with overlap_seconds 0",
    );
    expect(await rotate(ports, id, 60)).toMatchObject({ problem: { code: "conflict", detail } });
    expect((await secretsOf(ports, id))[1]).toBe(stolen.secret);
    const last = valueOf(await rotate(ports, id, 0));
    expect(await secretsOf(ports, id)).toEqual([last.secret]);
    expect(last.secret).not.toBe(stolen.secret);
    const actions = ports.database.auditRows.map((row) => "action" in row && row.action);
    expect(actions.slice(1)).toEqual([
      "secret_rotated",
      "secret_activated",
      "secret_rotated",
      "secret_rotated",
    ]);
  });
});
