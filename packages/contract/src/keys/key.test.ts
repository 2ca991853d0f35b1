import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { type KeyRecord, keySchema, parseKeyCreation, parseKeyRotation } from "./key.ts";
import { BINDABLE_ROLES, ROLES } from "./role.ts";

const KEY = { name: "payments agent", role: "agent" } as const;

/** The field that a refusal names, with what was expected there; null when the body is accepted. */
function refusal(body: JsonValue): readonly string[] | null {
  const parsed = parseKeyCreation(body);
  return parsed.ok ? null : parsed.errors.map(({ pointer, expected }) => `${pointer}: ${expected}`);
}

describe("a request for a key", () => {
  it("gets every default", () => {
    expect(parseKeyCreation(KEY)).toEqual({
      ok: true,
      value: { ...KEY, agents: null, namespaces: null, expires_at: null, org_id: null },
    });
  });

  it("names each agent once, and its end in UTC", () => {
    const body = { ...KEY, agents: ["a", "b", "a"], expires_at: "2030-01-31T12:00:00+02:00" };
    expect(parseKeyCreation(body)).toMatchObject({
      value: { agents: ["a", "b"], expires_at: "2030-01-31T10:00:00.000Z" },
    });
  });

  it.each([
    [{ role: "agent" }, "/name: a name for people"],
    [{ ...KEY, name: " " }, "/name: a name for people"],
    [{ ...KEY, name: "a\nb" }, "/name: a name for people"],
    [{ ...KEY, name: "x".repeat(201) }, "/name: a name for people"],
    [{ ...KEY, role: "root" }, "/role: one of agent, adapter"],
    [{ ...KEY, agents: [] }, "/agents: 1 to 100 names"],
    [{ ...KEY, agents: ["payments.*"] }, "/agents/0: an exact agent name (no glob)"],
    [{ ...KEY, agents: "a" }, "/agents: 1 to 100 names"],
    [{ ...KEY, namespaces: Array.from({ length: 101 }, String) }, "/namespaces: 1 to 100 names"],
    [{ ...KEY, expires_at: "tomorrow" }, "/expires_at: a time in RFC 3339"],
    [{ ...KEY, expires_at: "2030-02-31T12:00:00Z" }, "/expires_at: a time in RFC 3339"],
    [{ ...KEY, org_id: "a b" }, "/org_id: the id of an organization"],
    [{ ...KEY, agent: "a" }, "/agent: no field of this name"],
  ])("%j is refused with the field at fault", (body, expected) => {
    expect(refusal(body)?.[0]).toContain(expected);
  });

  it.each(ROLES)("of role %s is bound to agents and namespaces where that narrows the role", (role) => {
    const isBindable = BINDABLE_ROLES.includes(role);
    for (const field of ["agents", "namespaces"]) {
      const refused = refusal({ ...KEY, role, [field]: ["a"] });
      if (isBindable) expect(refused).toBeNull();
      else expect(refused?.[0]).toContain(`/${field}: none with role ${role}`);
    }
  });
});

describe("a rotation", () => {
  it.each([
    [{}, 3_600],
    [{ overlap_seconds: 0 }, 0],
    [{ overlap_seconds: 604_800 }, 604_800],
  ])("%j has an overlap of %i seconds", (body, overlap_seconds) => {
    expect(parseKeyRotation(body)).toEqual({ ok: true, value: { overlap_seconds } });
  });

  it.each([-1, 0.5, 604_801, "60", null])("is refused with an overlap of %j", (overlap_seconds) => {
    expect(parseKeyRotation({ overlap_seconds }).ok).toBe(false);
  });
});

it("a record has no place for a secret or its digest", () => {
  const time = "2026-01-01T00:00:00.000Z";
  const record: KeyRecord = {
    id: "k",
    name: "n",
    org_id: "o",
    role: "agent",
    scopes: ["call:execute"],
    agents: null,
    namespaces: null,
    origin: "managed",
    identity: null,
    created_at: time,
    created_by: "x",
    expires_at: null,
    revoked_at: null,
    revoked_by: null,
    secrets: [{ created_at: time, expires_at: null }],
  };
  expect(keySchema.parse(record)).toEqual(record);
  expect(keySchema.safeParse({ ...record, key: "svc_k_x" }).success).toBe(false);
  const digest = [{ created_at: time, expires_at: null, digest: "00" }];
  expect(keySchema.safeParse({ ...record, secrets: digest }).success).toBe(false);
});
