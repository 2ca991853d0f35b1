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
  tested(
    "TOK-07",
    "Nobody gets a key whose subject rows cannot show: hidden or broken characters, or too many bytes.",
  ),
  tested(
    "TOK-08",
    "A trust rule whose keys can never be read is refused. A stored one of a refused kind admits nobody.",
  ),
  tested(
    "TOK-09",
    "However many keys trust rules give, people can sign in: each rule, and all, have a share.",
  ),
  tested("PEO-01", "People sign in to the pages with a provider of OpenID Connect, by code flow with PKCE."),
  tested("PEO-02", "Rows and approvals name the person who signed in, by subject and issuer."),
  tested(
    "PEO-03",
    "A person whose claims give no role does not come in, and nobody does more than the roles give.",
  ),
  tested("PEO-04", "Signing out ends the key of the login, and takes back nothing that the person approved."),
  tested(
    "PEO-05",
    "An answer of a provider counts once, in the browser that asked, with its state and its issuer.",
  ),
  tested(
    "PEO-06",
    "A token of a provider for somebody else, of another time or without its signature signs nobody in.",
  ),
  tested(
    "PEO-07",
    "While a provider is away people stay until their login ends, and keys work. Its new keys count at once.",
  ),
  tested(
    "PEO-09",
    "svc-cli login keeps the key of a login in a file of mode 0600; no address shows the key.",
  ),
  tested("PEO-08", "A workflow can ask people of a group of their provider."),
  tested(
    "PEO-10",
    "Each control process finishes a login that another one began, and knows who signed in there.",
  ),
  tested(
    "PEO-11",
    "Who sends a form after their login has ended reads that nothing was done, and finds what they wrote.",
  ),
  tested(
    "PEO-12",
    "One request ends all logins of a person, in browsers and of svc-cli, and each has a row.",
  ),
  tested("PEO-13", "Nobody signs in to an organization that no lasting key has made, whatever a claim says."),
];
