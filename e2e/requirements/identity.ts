import { type Requirement, tested } from "./requirement.ts";

/** People and programs whom an identity provider names. */
export const identityRequirements: readonly Requirement[] = [
  tested(
    "TOK-01",
    "A program exchanges the token of its platform for a key of minutes that a trust rule gives.",
  ),
  tested(
    "TOK-02",
    "A token gets a key only if issuer, audience, subject, claims and environment fit one rule in force.",
  ),
  tested(
    "TOK-03",
    "A token that its issuer has not signed, for somebody else, or outside of its time, gets no key.",
  ),
  tested("TOK-04", "Every key that was exchanged has a row that names the rule, the issuer and the subject."),
  tested("TOK-05", "A trust rule that admits everybody with a token of its issuer is refused."),
  tested("TOK-06", "A trust rule gives no more than a key that its maker could make."),
];
