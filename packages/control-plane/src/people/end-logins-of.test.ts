import type { Principal } from "@svc/contract/principal";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { expect, it } from "vitest";
import { createKey } from "../keys/create-key.ts";
import { keyRequest } from "../testing/key-request.ts";
import { makeOrganization } from "../testing/make-organization.ts";
import { ANYBODY, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { continueLogin } from "./continue-login.ts";
import { endLoginsOf } from "./end-logins-of.ts";
import { LOGIN_MS, type SignedInPerson, signInPerson } from "./sign-in-person.ts";

const ADA: SignedInPerson = {
  issuer: "https://idp.example",
  subject: "ada",
  name: "Ada",
  org: ANYBODY.org,
  groups: [],
  roles: ["approver"],
};

async function signIn(ports: TestPorts, person: SignedInPerson = ADA): Promise<Principal> {
  await makeOrganization(ports, person.org);
  const outcome = await signInPerson(ports, person);
  if (outcome.kind === "problem") throw new Error(outcome.problem.detail);
  const { id: key_id, created_by: id, org_id: org } = outcome.value;
  const { name, roles } = person;
  const of = adminPrincipal({ id, org, person: { key_id, name, roles, groups: new Set() } });
  return { ...of, scopes: new Set() };
}

const isRevoked = async (ports: TestPorts, { person }: Principal) =>
  (await ports.keys.key(person?.key_id ?? ""))?.revoked_at !== null;

// proves PEO-12
it("all logins of a person end, those of svc-cli included, and nobody else's", async () => {
  const ports = testPorts();
  const [first, second] = [await signIn(ports), await signIn(ports)];
  const others = [
    await signIn(ports, { ...ADA, subject: "grace" }),
    await signIn(ports, { ...ADA, issuer: "https://other.example" }),
    await signIn(ports, { ...ADA, org: "other" }),
  ];
  const ofCli = await continueLogin(ports, first);
  if (ofCli.kind === "problem") return expect.unreachable();
  const ids = [first.person?.key_id ?? "", second.person?.key_id ?? "", ofCli.value.id].toSorted();
  const ended = await endLoginsOf(ports, ANYBODY, "ada@idp.example");
  expect(ended).toMatchObject({ value: { person: "ada@idp.example" } });
  expect(ended.kind === "ok" && ended.value.key_ids.toSorted()).toEqual(ids);
  for (const login of [first, second]) expect(await isRevoked(ports, login)).toBe(true);
  for (const other of others) expect(await isRevoked(ports, other)).toBe(false);
  expect(ports.database.auditRows.slice(-ids.length)).toEqual(
    ids.map((key_id) =>
      expect.objectContaining({ kind: "key", action: "revoked", key_id, principal: ANYBODY.id }),
    ),
  );
  const nothing = { kind: "ok", value: { key_ids: [], enforced: true } };
  expect(await endLoginsOf(ports, ANYBODY, "ada@idp.example")).toMatchObject(nothing);
});

// proves PEO-12
it.each(["auth0|5f", "Ada Lovelace", "愛達"])(
  "a person is found as the provider names them: %s",
  async (subject) => {
    const ports = testPorts();
    const [first, second] = [
      await signIn(ports, { ...ADA, subject }),
      await signIn(ports, { ...ADA, subject }),
    ];
    expect(first.id).toMatch(/^person_[0-9a-f]{32}@idp\.example$/);
    const other = await signIn(ports, { ...ADA, subject, issuer: "https://other.example" });
    const ended = await endLoginsOf(ports, ANYBODY, `${subject}@idp.example`);
    expect(ended.kind === "ok" && ended.value.key_ids).toHaveLength(2);
    for (const login of [first, second]) expect(await isRevoked(ports, login)).toBe(true);
    expect(await isRevoked(ports, other)).toBe(false);
  },
);

// proves PEO-13
it.each(["o2", "__proto__"])("nobody signs in to the organization %s, which nobody made", async (org) => {
  const ports = testPorts();
  await signIn(ports);
  const refused = {
    code: "forbidden",
    detail: expect.stringContaining(`organization ${org}, which`) as string,
  };
  expect(await signInPerson(ports, { ...ADA, org })).toMatchObject({ kind: "problem", problem: refused });
  await makeOrganization(ports, org);
  expect(await signInPerson(ports, { ...ADA, org })).toMatchObject({ value: { org_id: org } });
});

// proves PEO-12
it("a person ends their own logins, whatever their role is, the one that asks last", async () => {
  const ports = testPorts();
  const asks = await signIn(ports, { ...ADA, roles: ["admin"] });
  const other = await signIn(ports, { ...ADA, roles: ["admin"] });
  const ended = await endLoginsOf(ports, asks, asks.id);
  expect(ended).toMatchObject({ value: { key_ids: [other.person?.key_id, asks.person?.key_id] } });
});

it("a login that is over is not ended again, and an admin's needs the bootstrap key", async () => {
  const ports = testPorts();
  const over = await signIn(ports, { ...ADA, roles: ["admin"] });
  await ports.time.advance(LOGIN_MS);
  expect(await endLoginsOf(ports, ANYBODY, over.id)).toMatchObject({ value: { key_ids: [] } });
  const current = await signIn(ports, { ...ADA, roles: ["admin"] });
  const forbidden = { kind: "problem", problem: { code: "forbidden" } };
  expect(await endLoginsOf(ports, ANYBODY, current.id)).toMatchObject(forbidden);
  expect(await isRevoked(ports, current)).toBe(false);
});

it("nobody is found by a name that no login has, nor by the key that made another key", async () => {
  const ports = testPorts();
  await createKey(ports, ANYBODY, keyRequest());
  for (const person of ["ada@idp.example", ANYBODY.id])
    expect(await endLoginsOf(ports, ANYBODY, person)).toMatchObject({
      kind: "problem",
      problem: { code: "not_found", detail: expect.stringContaining("created_by") as string },
    });
});
