import type { IssuedKey } from "@svc/contract/key";
import type { Principal } from "@svc/contract/principal";
import { ROLES, scopesOf } from "@svc/contract/role";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { describe, expect, it } from "vitest";
import { keyRequest } from "../testing/key-request.ts";
import { ANYBODY, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { parseApiKey, secretDigest } from "./api-key.ts";
import { createKey } from "./create-key.ts";
import { getKey } from "./get-key.ts";
import { listKeys } from "./list-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";

const PAGE = { limit: 10, after: null };

const BOOTSTRAP: Principal = {
  ...ANYBODY,
  scopes: scopesOf({ role: "admin", isBootstrap: true, isBound: false }),
};

/** Makes a key. @throws when it is refused. */
async function make(
  ports: TestPorts,
  changed: Parameters<typeof keyRequest>[0] = {},
  by: Principal = BOOTSTRAP,
): Promise<IssuedKey> {
  const outcome = await createKey(ports, by, keyRequest(changed));
  if (outcome.kind === "problem") throw new Error(outcome.problem.detail);
  return outcome.value;
}

/** The principal that the server makes of a key. */
const principalOf = ({ id, org_id, role, agents, namespaces, expires_at }: IssuedKey): Principal =>
  adminPrincipal({
    id,
    org: org_id,
    role,
    expires_at,
    agents: agents === null ? null : new Set(agents),
    namespaces: namespaces === null ? null : new Set(namespaces),
  });

const forbidden = { kind: "problem", problem: { code: "forbidden" } };
const notFound = { kind: "problem", problem: { code: "not_found" } };

describe("createKey", () => {
  // proves AUTH-08, AUTH-04
  it("shows the key once, stores a digest alone, and is audited and announced", async () => {
    const ports = testPorts();
    const made = await make(ports, { name: "payments", agents: ["a-1"] });
    const { id, secret } = parseApiKey(made.key) ?? expect.unreachable("the answer holds no key");
    expect([id, made.name, made.scopes]).toEqual([
      made.id,
      "payments",
      ["call:execute", "outcome:own", "approval:own", "approval:cancel", "agent:heartbeat"],
    ]);
    const stored = await ports.keys.key(id);
    expect(stored?.secrets.map(({ digest }) => digest)).toEqual([secretDigest(secret)]);
    expect(ports.propagation.announced).toEqual([1]);
    expect(ports.database.auditRows).toMatchObject([
      { kind: "key", action: "created", key_id: id, name: "payments", role: "agent", agents: ["a-1"] },
    ]);
    const everything = [ports.database.auditRows, ports.database.events, stored, ports.informed];
    expect(JSON.stringify(everything)).not.toContain(secret);
  });

  it("refuses an end that has passed, at its last millisecond too", async () => {
    const ports = testPorts();
    const expires_at = ports.time.now().toISOString();
    expect(await createKey(ports, BOOTSTRAP, keyRequest({ expires_at }))).toMatchObject({
      problem: { code: "invalid_request", errors: [{ pointer: "/expires_at" }] },
    });
  });

  // proves KEY-01
  it.each(ROLES)("lets an admin make a key of role %s, unless it is admin", async (role) => {
    const ports = testPorts();
    const admin = principalOf(await make(ports, { role: "admin" }));
    const outcome = await createKey(ports, admin, keyRequest({ role }));
    if (role === "admin") expect(outcome).toMatchObject(forbidden);
    else expect(outcome.kind).toBe("ok");
  });

  // proves KEY-01
  it("lets the bootstrap key alone make keys of another organization", async () => {
    const ports = testPorts();
    const admin = principalOf(await make(ports, { role: "admin" }));
    expect(await createKey(ports, admin, keyRequest({ org_id: "other" }))).toMatchObject(forbidden);
    expect(await make(ports, { org_id: "other", role: "admin" })).toMatchObject({ org_id: "other" });
    expect(ports.database.auditRows.at(-1)).toMatchObject({ org: "other", principal: BOOTSTRAP.id });
  });

  // proves KEY-02
  it("gives no key more than its maker has", async () => {
    const ports = testPorts();
    const end = "2026-06-01T00:00:00.000Z";
    const maker = adminPrincipal({ org: "acme", expires_at: end });
    const bound = { ...maker, agents: new Set(["a-1"]) };
    const narrow = { ...maker, scopes: scopesOf({ role: "auditor", isBootstrap: false, isBound: false }) };
    const cases: readonly (readonly [Principal, Parameters<typeof keyRequest>[0]])[] = [
      [maker, { expires_at: null }],
      [maker, { expires_at: "2026-06-01T00:00:00.001Z" }],
      [narrow, { expires_at: end }],
      [bound, { expires_at: end }],
      [bound, { expires_at: end, agents: ["a-1", "a-2"] }],
    ];
    for (const [principal, changed] of cases)
      expect(await createKey(ports, principal, keyRequest(changed))).toMatchObject(forbidden);
    expect(ports.database.auditRows).toEqual([]);
  });

  // proves KEY-07
  it("makes nothing for a key that was revoked while it asked", async () => {
    const ports = testPorts();
    const admin = await make(ports, { role: "admin" });
    ports.database.before = async (call) => {
      ports.database.before = async () => {};
      if (call === "createKey") await revokeKey(ports, BOOTSTRAP, admin.id);
    };
    expect(await createKey(ports, principalOf(admin), keyRequest())).toMatchObject({
      problem: { code: "unauthenticated" },
    });
  });
});

describe("rotateKey", () => {
  // proves KEY-03
  it("shows a new secret and ends the earlier one after the overlap", async () => {
    const ports = testPorts();
    const made = await make(ports);
    await ports.time.advance(1_000);
    const outcome = await rotateKey(ports, BOOTSTRAP, { id: made.id, overlap_seconds: 60 });
    if (outcome.kind === "problem") throw new Error(outcome.problem.detail);
    expect(parseApiKey(outcome.value.key)?.id).toBe(made.id);
    expect(outcome.value.key).not.toBe(made.key);
    expect(outcome.value.secrets).toEqual([
      { created_at: "2026-01-01T00:00:00.000Z", expires_at: "2026-01-01T00:01:01.000Z" },
      { created_at: "2026-01-01T00:00:01.000Z", expires_at: null },
    ]);
    expect(ports.database.auditRows.at(-1)).toMatchObject({
      action: "rotated",
      key_id: made.id,
      overlap_ends_at: "2026-01-01T00:01:01.000Z",
    });
  });

  // proves KEY-02
  it("lets a key rotate itself, and keys that can do no more than it, and no other", async () => {
    const ports = testPorts();
    const [own, other] = [await make(ports, { role: "admin" }), await make(ports, { role: "admin" })];
    const agent = await make(ports);
    const expiring = await make(ports, { role: "admin", expires_at: "2026-06-01T00:00:00.000Z" });
    const rotate = (by: IssuedKey, id: string) =>
      rotateKey(ports, principalOf(by), { id, overlap_seconds: 0 });
    for (const id of [own.id, agent.id]) expect((await rotate(own, id)).kind).toBe("ok");
    expect(await rotate(own, other.id)).toMatchObject(forbidden);
    expect((await rotate(expiring, expiring.id)).kind).toBe("ok");
    expect(await rotate(expiring, agent.id)).toMatchObject(forbidden);
  });

  it("refuses a key that was revoked or has expired", async () => {
    const ports = testPorts();
    const revoked = await make(ports);
    await revokeKey(ports, BOOTSTRAP, revoked.id);
    const expired = await make(ports, { expires_at: "2026-01-01T00:00:01.000Z" });
    await ports.time.advance(1_000);
    for (const { id } of [revoked, expired]) {
      const outcome = await rotateKey(ports, BOOTSTRAP, { id, overlap_seconds: 60 });
      expect(outcome).toMatchObject({ problem: { code: "conflict" } });
    }
  });

  // proves KEY-03
  it("loses no secret of 1,000 rotations of one key at once, and of 1,000 keys", async () => {
    const ports = testPorts();
    ports.database.limits.keys = 2_000;
    const one = await make(ports);
    const of = async (id: string): Promise<string> => {
      const outcome = await rotateKey(ports, BOOTSTRAP, { id, overlap_seconds: 60 });
      return outcome.kind === "ok" ? outcome.value.key : expect.unreachable(outcome.problem.detail);
    };
    const accepted = async (id: string) => (await ports.keys.key(id))?.secrets ?? [];
    const issued = await Promise.all(Array.from({ length: 1_000 }, () => of(one.id)));
    const digests = new Set((await accepted(one.id)).map(({ digest }) => digest));
    for (const key of [one.key, ...issued])
      expect(digests.has(secretDigest(parseApiKey(key)?.secret ?? ""))).toBe(true);
    // Exactly one goes on: the others end with the overlap.
    expect((await accepted(one.id)).filter(({ expires_at }) => expires_at === null)).toHaveLength(1);

    const many = await Promise.all(Array.from({ length: 1_000 }, () => make(ports)));
    await Promise.all(many.map(({ id }) => of(id)));
    for (const { id } of many) expect(await accepted(id)).toHaveLength(2);
  }, 60_000);
});

describe("revokeKey", () => {
  // proves KEY-04
  it("ends a key once, and names the gateways that refuse it", async () => {
    const ports = testPorts();
    const { id } = await make(ports);
    const ended = { kind: "ok", value: { revoked_by: BOOTSTRAP.id, secrets: [], enforced: true } };
    expect(await revokeKey(ports, BOOTSTRAP, id)).toMatchObject(ended);
    expect(await revokeKey(ports, BOOTSTRAP, id)).toMatchObject(ended);
    expect(ports.database.auditRows.map((row) => row.kind === "key" && row.action)).toEqual([
      "created",
      "revoked",
    ]);
    ports.propagation.gateways = [{ id: "gw-1", acknowledged_ms: null }];
    expect(await revokeKey(ports, BOOTSTRAP, id)).toMatchObject({
      value: { enforced: false, note: expect.stringContaining("gw-1") as unknown },
    });
  });

  // proves KEY-01
  it("lets an admin end itself and lesser keys, but no other admin and no bootstrap key", async () => {
    const ports = testPorts();
    const [own, other] = [await make(ports, { role: "admin" }), await make(ports, { role: "admin" })];
    const agent = await make(ports);
    const bootstrap = await storeBootstrap(ports);
    const admin = principalOf(own);
    for (const id of [other.id, bootstrap]) {
      expect(await revokeKey(ports, admin, id)).toMatchObject(forbidden);
      expect(await rotateKey(ports, admin, { id, overlap_seconds: 0 })).toMatchObject(forbidden);
    }
    expect(await revokeKey(ports, BOOTSTRAP, bootstrap)).toMatchObject(forbidden);
    for (const id of [agent.id, own.id]) expect((await revokeKey(ports, admin, id)).kind).toBe("ok");
    expect((await revokeKey(ports, BOOTSTRAP, other.id)).kind).toBe("ok");
  });

  it("says what to do when the store did not confirm", async () => {
    const ports = testPorts();
    const { id } = await make(ports);
    ports.database.after = async (call) => {
      if (call === "revokeKey") throw new Error("cut");
    };
    expect(await revokeKey(ports, BOOTSTRAP, id)).toMatchObject({
      problem: { code: "unavailable", detail: expect.stringContaining("still accepted") as unknown },
    });
  });
});

/** A bootstrap key in the organization of the tests. @returns its id */
async function storeBootstrap(ports: TestPorts): Promise<string> {
  const { id } = await make(ports);
  const key = await ports.keys.key(id);
  if (key === null) throw new Error("expected the key that was made");
  await ports.keys.putBootstrapKey(
    { ...key, id: "boot", role: "admin", origin: "bootstrap" },
    "{}",
    "always",
  );
  return "boot";
}

describe("a key of another organization", () => {
  // proves KEY-12
  it("is answered exactly as an unknown one, whatever is asked", async () => {
    const ports = testPorts();
    const admin = principalOf(await make(ports, { role: "admin" }));
    const foreign = await make(ports, { org_id: "other" });
    const ask = async (id: string) => [
      await getKey(ports, admin, id),
      await rotateKey(ports, admin, { id, overlap_seconds: 0 }),
      await revokeKey(ports, admin, id),
    ];
    const answers = await ask(foreign.id);
    for (const answer of answers) expect(answer).toMatchObject(notFound);
    const unknown = JSON.stringify(await ask("0000")).replaceAll("0000", foreign.id);
    expect(JSON.stringify(answers)).toBe(unknown);
    expect((await ports.keys.key(foreign.id))?.revoked_at).toBeNull();
  });

  // proves KEY-12
  it("is in no list but that of its own organization, which the bootstrap key may ask for", async () => {
    const ports = testPorts();
    const own = await make(ports, { role: "admin" });
    const foreign = await make(ports, { org_id: "other" });
    const ids = async (by: Principal, org: string | null) => {
      const listed = await listKeys(ports, by, { org, page: PAGE });
      return listed.kind === "ok" ? listed.value.items.map(({ id }) => id) : listed.problem.code;
    };
    expect(await ids(principalOf(own), null)).toEqual([own.id]);
    expect(await ids(principalOf(own), "acme")).toEqual([own.id]);
    expect(await ids(principalOf(own), "other")).toBe("forbidden");
    expect(await ids(BOOTSTRAP, "other")).toEqual([foreign.id]);
  });
});
