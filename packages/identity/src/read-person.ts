import { isIdentifier } from "@svc/contract/identifier";
import type { Role } from "@svc/contract/role";
import { MAX_PERSON_SUBJECT_BYTES, subjectFault } from "@svc/contract/subject-fault";
import type { SignedInPerson } from "@svc/control-plane/sign-in-person";
import type { LoginClaims } from "./login-provider.ts";

/** What the claims of a person mean. */
export interface ClaimSettings {
  /** Claims by what they hold. `organization` null: everybody belongs to the default one. */
  readonly name: string;
  readonly groups: string;
  readonly organization: string | null;
  /** A person has each role whose claim has this value, or has it in its list. */
  readonly roles: readonly { readonly claim: string; readonly value: string; readonly role: Role }[];
}

export type ReadPerson =
  | { readonly kind: "person"; readonly person: SignedInPerson }
  | { readonly kind: "refused"; readonly reason: string };

/** Groups of a person, as count, and longest name, in characters: beyond them a provider names everything. */
const MAX_GROUPS = 500;
const MAX_NAME_LENGTH = 200;

/** Reads a person from the claims that a provider has proved. Who has no role may not come in. */
export function readPerson(
  { issuer, org }: { readonly issuer: string; readonly org: string },
  claims: LoginClaims,
  settings: ClaimSettings,
): ReadPerson {
  const subject = ownText(claims, "sub");
  if (subject === null) return refused("the provider named no subject");
  const fault = subjectFault(subject, MAX_PERSON_SUBJECT_BYTES);
  if (fault !== null) return refused(`nothing can name this person: ${fault}`);
  const groups = textsOf(claims, settings.groups);
  if (groups.length > MAX_GROUPS)
    return refused(`the provider named more than ${String(MAX_GROUPS)} groups: have it name fewer`);
  const given = settings.roles.filter(({ claim, value }) => textsOf(claims, claim).includes(value));
  const [first, ...others] = new Set(given.map(({ role }) => role));
  if (first === undefined)
    return refused(
      "the claims of this person give no role. SVC_OIDC_CLAIMS says which claims give which role",
    );
  const named = settings.organization === null ? org : ownText(claims, settings.organization);
  if (named === null || !isIdentifier(named))
    return refused(`the provider named no organization in ${settings.organization ?? ""}`);
  const name = ownText(claims, settings.name)?.slice(0, MAX_NAME_LENGTH) ?? null;
  return {
    kind: "person",
    person: { issuer, subject, name, org: named, groups, roles: [first, ...others] },
  };
}

function refused(reason: string): ReadPerson {
  return { kind: "refused", reason };
}

function ownText(claims: LoginClaims, name: string): string | null {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return typeof value === "string" && value !== "" ? value : null;
}

/** The texts of a claim that is a text or a list of texts. */
function textsOf(claims: LoginClaims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return [value].flat().filter((each) => typeof each === "string");
}
