import { expect, it } from "vitest";
import { type ClaimSettings, readPerson } from "./read-person.ts";

const SETTINGS: ClaimSettings = {
  name: "name",
  groups: "groups",
  organization: null,
  roles: [
    { claim: "groups", value: "finance", role: "approver" },
    { claim: "groups", value: "audit", role: "auditor" },
    { claim: "admin", value: "yes", role: "admin" },
  ],
};

const CLAIMS = { sub: "ada", name: "Ada", groups: ["audit", "finance", "x"] };

const read = (claims: object, settings: Partial<ClaimSettings> = {}) =>
  readPerson(
    { issuer: "https://idp", org: "default" },
    { ...CLAIMS, ...claims },
    { ...SETTINGS, ...settings },
  );

it("reads who somebody is, in which groups, and every role that the settings give", () => {
  expect(read({})).toEqual({
    kind: "person",
    person: {
      issuer: "https://idp",
      subject: "ada",
      name: "Ada",
      org: "default",
      groups: ["audit", "finance", "x"],
      roles: ["approver", "auditor"],
    },
  });
  expect(read({ groups: "finance", name: 5 })).toMatchObject({
    person: { groups: ["finance"], roles: ["approver"], name: null },
  });
  expect(read({ org: "acme" }, { organization: "org" })).toMatchObject({ person: { org: "acme" } });
});

// proves PEO-03
it.each<readonly [claims: object, settings: Partial<ClaimSettings>, reason: RegExp]>([
  [{ groups: ["x"] }, {}, /give no role/],
  [{ groups: ["Finance", "finance "] }, {}, /give no role/],
  [{ groups: { finance: true } }, {}, /give no role/],
  [{ groups: [["finance"]] }, {}, /give no role/],
  [{ groups: [], admin: true }, {}, /give no role/],
  [{ sub: "" }, {}, /no subject/],
  [{ sub: 7 }, {}, /no subject/],
  [{ sub: "ada\u202E" }, {}, /holds U\+202E, which nobody sees/],
  [{ sub: "a".repeat(257) }, {}, /has 257 bytes/],
  [{ groups: Array.from({ length: 501 }, (_, at) => `g${String(at)}`) }, {}, /more than 500 groups/],
  [{}, { organization: "org" }, /no organization/],
  [{ org: "a b" }, { organization: "org" }, /no organization/],
  [{ org: ["acme"] }, { organization: "org" }, /no organization/],
  [{}, { roles: [{ claim: "toString", value: "x", role: "admin" }] }, /give no role/],
])("refuses %j", (claims, settings, reason) => {
  expect(read(claims, settings)).toEqual({
    kind: "refused",
    reason: expect.stringMatching(reason) as string,
  });
});
