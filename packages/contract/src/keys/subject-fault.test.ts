import { expect, it } from "vitest";
import { MAX_PERSON_SUBJECT_BYTES, MAX_PROGRAM_SUBJECT_BYTES, subjectFault } from "./subject-fault.ts";

// proves TOK-07
it.each([
  "ada\u0000",
  "ada\n",
  "\u202Eada",
  "a\u200Bda",
  "ada\uD800",
  "\u2066ada",
  "a".repeat(257),
  "ä".repeat(129),
])("refuses the subject %j", (subject) => {
  expect(subjectFault(subject, MAX_PERSON_SUBJECT_BYTES)).not.toBeNull();
});

it.each([
  "auth0|5f7c8ec7c33c6c004bbafe82",
  "CN=Ada Lovelace,OU=Finance,O=Ácme",
  "a".repeat(256),
  "repo:acme/x:ref:refs/heads/feature/日本語",
])("takes the subject %j", (subject) => {
  expect(subjectFault(subject, MAX_PERSON_SUBJECT_BYTES)).toBeNull();
});

it("takes longer subjects of programs", () => {
  const branch = `repo:acme/deployments:ref:refs/heads/${"b".repeat(255)}`;
  expect(subjectFault(branch, MAX_PROGRAM_SUBJECT_BYTES)).toBeNull();
  expect(subjectFault("b".repeat(1_025), MAX_PROGRAM_SUBJECT_BYTES)).not.toBeNull();
});
