import { describe, expect, it } from "vitest";
import { trustRuleWarnings, whyOpenToEverybody } from "./trust-rule-warnings.ts";

const GITHUB = "https://token.actions.githubusercontent.com";
const GITLAB = "https://gitlab.com";
const GOOGLE = "https://accounts.google.com";
const BUILDKITE = "https://agent.buildkite.com";
const TERRAFORM = "https://app.terraform.io";
const CLUSTER = "https://kubernetes.default.svc.cluster.local";

interface Case {
  readonly issuer: string;
  readonly subject: string;
  readonly claims?: Readonly<Record<string, string>>;
}

const rule = ({ issuer, subject, claims }: Case) => ({
  issuer,
  subject,
  claims: claims ?? null,
  environments: null,
});

// proves TOK-05
describe("a rule is open to everybody", () => {
  it.each<Case>([
    { issuer: GITHUB, subject: "*" },
    { issuer: GITHUB, subject: "repo:*" },
    { issuer: GITHUB, subject: "repo:*/deployments:ref:refs/heads/main" },
    { issuer: GITHUB, subject: "repo:acme*" },
    { issuer: GITHUB, subject: "repo:acme*/x:*" },
    { issuer: GITHUB, subject: "*:environment:production" },
    { issuer: GITHUB, subject: "*", claims: { ref: "refs/heads/main" } },
    { issuer: GITHUB, subject: "*", claims: { repository: "*/deployments" } },
    { issuer: GITHUB, subject: "*", claims: { repository_owner: "acme*" } },
    { issuer: GITLAB, subject: "project_path:*" },
    { issuer: GITLAB, subject: "*", claims: { ref_protected: "true" } },
    { issuer: CLUSTER, subject: "*" },
    { issuer: CLUSTER, subject: "**", claims: { any: "*" } },
    { issuer: CLUSTER, subject: "*", claims: { any: "?*" } },
    { issuer: CLUSTER, subject: "*", claims: { email: "*@*" } },
    { issuer: CLUSTER, subject: "*", claims: { iss: CLUSTER, aud: "svc.example", exp: "1800000000" } },
    { issuer: CLUSTER, subject: "*", claims: { email_verified: "true", typ: "Bearer" } },
    { issuer: GOOGLE, subject: "*", claims: { email_verified: "true" } },
    { issuer: GOOGLE, subject: "*", claims: { email: "*gmail.com" } },
    { issuer: BUILDKITE, subject: "organization:*" },
    { issuer: TERRAFORM, subject: "organization:*:project:*" },
    { issuer: "https://vstoken.actions.githubusercontent.com", subject: "repo:*" },
    { issuer: GOOGLE, subject: "*e*" },
    { issuer: GOOGLE, subject: "s*" },
    { issuer: GOOGLE, subject: "?*" },
    { issuer: GOOGLE, subject: "*:*" },
    { issuer: GOOGLE, subject: "*????*" },
  ])("%j", (open) => {
    expect(whyOpenToEverybody(rule(open))).not.toBeNull();
  });
});

describe("a rule names whom it admits", () => {
  it.each<Case>([
    { issuer: GITHUB, subject: "repo:acme/deployments:*" },
    { issuer: GITHUB, subject: "repo:acme/*" },
    { issuer: GITHUB, subject: "*", claims: { repository_owner_id: "1234" } },
    { issuer: GITHUB, subject: "*", claims: { repository: "acme/*" } },
    { issuer: GITLAB, subject: "project_path:acme/x:ref_type:branch:ref:main" },
    { issuer: GITLAB, subject: "*", claims: { namespace_path: "acme" } },
    { issuer: BUILDKITE, subject: "organization:acme:pipeline:*" },
    { issuer: TERRAFORM, subject: "*", claims: { terraform_organization_name: "acme" } },
    { issuer: CLUSTER, subject: "system:serviceaccount:payments:*" },
    { issuer: CLUSTER, subject: "job" },
    { issuer: GOOGLE, subject: "*", claims: { hd: "acme.example" } },
    { issuer: CLUSTER, subject: "*", claims: { team: "pay" } },
  ])("%j", (named) => {
    expect(whyOpenToEverybody(rule(named))).toBeNull();
  });
});

it("a rule warns of pipelines of any branch, of the role admin and of plain HTTP", () => {
  const warn = (from: Case, role: "ci" | "admin" = "ci", environments: readonly string[] | null = null) =>
    trustRuleWarnings({ ...rule(from), role, environments }).length;
  expect(warn({ issuer: GITHUB, subject: "repo:acme/*" })).toBe(1);
  expect(warn({ issuer: GITHUB, subject: "repo:acme/*" }, "ci", ["production"])).toBe(0);
  expect(warn({ issuer: GITHUB, subject: "repo:acme/x:ref:refs/heads/main" })).toBe(0);
  expect(warn({ issuer: GITHUB, subject: "repo:acme/x:*", claims: { ref: "refs/heads/main" } })).toBe(0);
  expect(warn({ issuer: CLUSTER, subject: "system:serviceaccount:a:b" }, "admin")).toBe(1);
  expect(warn({ issuer: "http://issuer.internal", subject: "x" })).toBe(1);
});
