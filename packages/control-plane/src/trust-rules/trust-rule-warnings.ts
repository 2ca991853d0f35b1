import { REGISTERED_CLAIMS, type TrustRuleRecord } from "@svc/contract/trust-rule";

type Conditions = Pick<TrustRuleRecord, "issuer" | "subject" | "claims" | "environments">;

/** An issuer that serves everybody, and what tells one of its customers from the others. */
interface SharedIssuer {
  readonly name: string;
  /** The subject up to the name of the owner. */
  readonly subject: RegExp;
  /** A subject that names an owner. */
  readonly example: string;
  /** Claims that name an owner, or something of one owner. */
  readonly claims: readonly string[];
  /** Whether its tokens name the branch of a pipeline. */
  readonly hasBranches: boolean;
}

const GITHUB: SharedIssuer = {
  name: "GitHub",
  subject: /^repo:[^*/:]+\//,
  example: "repo:octo-org/deployments:ref:refs/heads/main",
  claims: ["repository", "repository_id", "repository_owner", "repository_owner_id", "enterprise"],
  hasBranches: true,
};

const SHARED_ISSUERS: Readonly<Record<string, SharedIssuer>> = {
  "https://token.actions.githubusercontent.com": GITHUB,
  "https://vstoken.actions.githubusercontent.com": GITHUB,
  "https://accounts.google.com": {
    name: "Google",
    subject: /^\d+$/,
    example: "104892101234567890123",
    claims: ["email", "hd"],
    hasBranches: false,
  },
  "https://agent.buildkite.com": {
    name: "Buildkite",
    subject: /^organization:[^*:]+:/,
    example: "organization:acme:pipeline:deployments:*",
    claims: ["organization_slug", "organization_id", "pipeline_id"],
    hasBranches: false,
  },
  "https://app.terraform.io": {
    name: "Terraform Cloud",
    subject: /^organization:[^*:]+:/,
    example: "organization:acme:project:deployments:*",
    claims: ["terraform_organization_name", "terraform_organization_id", "terraform_workspace_id"],
    hasBranches: false,
  },
  "https://gitlab.com": {
    name: "GitLab",
    subject: /^project_path:[^*/:]+\//,
    example: "project_path:acme/deployments:ref_type:branch:ref:main",
    claims: ["namespace_id", "namespace_path", "project_id", "project_path"],
    hasBranches: true,
  },
};

/** Why a rule may not be made, because everybody with a token of the issuer would get a key; null: it may. */
export function whyOpenToEverybody({ issuer, subject, claims }: Conditions): string | null {
  const shared = SHARED_ISSUERS[issuer];
  const further = Object.entries(claims ?? {}).filter(([name]) => !SAYING_NOTHING.has(name));
  const named = further.filter(([, pattern]) => namesOwner(pattern));
  if (shared === undefined)
    return narrows(subject) || further.some(([, pattern]) => narrows(pattern))
      ? null
      : "the subject and the claims fit nearly every token of the issuer for this audience. Write a whole " +
          `subject, a pattern with at least ${String(MIN_LITERALS)} characters other than * and ?, or a ` +
          "claim that only your tokens have";
  if (shared.subject.test(subject) || named.some(([name]) => shared.claims.includes(name))) return null;
  return (
    `${shared.name} gives everybody tokens of this issuer, and the rule names no owner: write a subject ` +
    `such as ${shared.example}, or one of the claims ${shared.claims.join(", ")}`
  );
}

/** Which tokens a rule also admits that its maker probably did not mean. */
export function trustRuleWarnings({
  issuer,
  subject,
  claims,
  environments,
  role,
}: Conditions & Pick<TrustRuleRecord, "role">): readonly string[] {
  const warnings: string[] = [];
  const named = Object.keys(claims ?? {});
  const isPipeline = SHARED_ISSUERS[issuer]?.hasBranches === true;
  const fixesRef =
    /:(?:ref|environment|ref_type):/.test(subject) || named.some((name) => REFS.includes(name));
  if (isPipeline && !fixesRef && environments === null)
    warnings.push(
      "The rule names neither a branch nor an environment: a pipeline of any branch gets a key, also one " +
        "that somebody who may only propose a change has started.",
    );
  if (role === "admin")
    warnings.push("The keys have the role admin: who changes the pipeline can make lasting keys.");
  if (issuer.startsWith("http:"))
    warnings.push("The issuer is read over plain HTTP: who is on the network can give themselves a key.");
  return warnings;
}

const REFS = ["environment", "ref", "ref_protected", "job_workflow_ref", "workflow_ref", "ci_config_ref_uri"];

/** Claims that narrow nothing: every token has them, or they say how it was made and not for whom. */
const SAYING_NOTHING: ReadonlySet<string> = new Set(
  Object.keys(REGISTERED_CLAIMS).concat(["typ", "ver", "token_use", "email_verified", "acr", "amr"]),
);

/** Characters that a pattern with a star fixes, as count: fewer fit by chance, such as *e* or *:*. */
const MIN_LITERALS = 4;

/** Whether only some tokens fit. `?` is not a wildcard, and does not count for those who take it for one. */
function narrows(pattern: string): boolean {
  const literals = pattern.replaceAll(/[*?]/g, "").length;
  return literals >= (pattern.includes("*") ? MIN_LITERALS : 1);
}

/** Whether the part that stands for an owner has no star. */
function namesOwner(pattern: string): boolean {
  return /^[^*/]+(?:$|\/)/.test(pattern);
}
