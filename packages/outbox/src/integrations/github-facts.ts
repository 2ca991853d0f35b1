import type { RepositoryFacts } from "@svc/contract/integration-record";
import type { OutboundDialer } from "@svc/outbound/outbound-dialer";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { shownAnswer } from "../send-request.ts";

export interface GithubTarget {
  /** Without a slash at its end. */
  readonly url: string;
  readonly repository: string;
  readonly token: string;
}

/** What reading came to. */
export interface GithubReading {
  readonly status: number | null;
  readonly fault: string | null;
  readonly answer: string;
  readonly facts: RepositoryFacts | null;
}

/** Milliseconds for each of the three questions. */
const DEADLINE_MS = 10_000;

/** Bytes of one answer: a hundred workflows take a tenth. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Workflows that are read, as count: one page. */
const WORKFLOWS = 100;

/** Reads a repository, its workflows, and the signature of its newest commit. Changes nothing there. */
export async function readGithubFacts(
  dialer: Pick<OutboundDialer, "send">,
  { url, repository, token }: GithubTarget,
): Promise<GithubReading> {
  const ask = async (path: string) => askGithub(dialer, { url: `${url}/repos/${repository}${path}`, token });
  const repo = await ask("");
  if (repo.value === null) return failed(repo);
  const branch = textOf(repo.value, "default_branch");
  const commit = await ask(`/commits/${encodeURIComponent(branch)}`);
  if (commit.value === null) return failed(commit);
  const workflows = await ask(`/actions/workflows?per_page=${String(WORKFLOWS)}`);
  if (workflows.value === null) return failed(workflows);
  return { ...repo.said, fault: null, facts: factsOf(repo.value, commit.value, workflows.value) };
}

type Said = Pick<GithubReading, "status" | "fault" | "answer">;

interface Asked {
  readonly said: Said;
  readonly value: JsonObject | null;
}

function failed({ said }: Asked): GithubReading {
  return { ...said, facts: null };
}

async function askGithub(
  dialer: Pick<OutboundDialer, "send">,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<Asked> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    "user-agent": "svc",
  };
  const limits = { deadlineMs: DEADLINE_MS, maxBytes: MAX_ANSWER_BYTES };
  const outcome = await dialer.send({ url, method: "GET", headers, body: null, ...limits });
  if (outcome.kind !== "answer")
    return { said: { status: null, fault: outcome.reason, answer: "" }, value: null };
  const { status, body, isCut } = outcome;
  const said = { status, answer: shownAnswer(body, [token]) };
  const fault = faultOf(status, isCut);
  if (fault !== null) return { said: { ...said, fault }, value: null };
  const read = parseStrictJson(body, MAX_ANSWER_BYTES);
  if (read.ok && isJsonObject(read.value)) return { said: { ...said, fault: null }, value: read.value };
  return { said: { ...said, fault: "the answer is not a JSON object" }, value: null };
}

function faultOf(status: number, isCut: boolean): string | null {
  if (isCut) return `the answer is longer than ${String(MAX_ANSWER_BYTES)} bytes`;
  if (status === 200) return null;
  if (status === 401) return "the token is not valid";
  if (status === 403) return "the token may not read this, or too much was asked";
  if (status === 404) return "there is no such repository, or the token may not read it";
  return `the service answered ${String(status)}`;
}

function factsOf(repo: JsonObject, commit: JsonObject, workflows: JsonObject): RepositoryFacts {
  const permissions = objectOf(repo["permissions"]);
  const verification = objectOf(objectOf(commit["commit"])["verification"]);
  const listed = workflows["workflows"];
  return {
    repository: textOf(repo, "full_name"),
    private: repo["private"] === true,
    archived: repo["archived"] === true,
    default_branch: textOf(repo, "default_branch"),
    token_can_write: ["push", "maintain", "admin"].some((name) => permissions[name] === true),
    head_commit: {
      sha: textOf(commit, "sha"),
      signature_verified: verification["verified"] === true,
      signature_reason: textOf(verification, "reason"),
    },
    workflows: arrayOf(listed)
      .slice(0, WORKFLOWS)
      .map((each) => {
        const workflow = objectOf(each);
        return {
          name: textOf(workflow, "name"),
          path: textOf(workflow, "path"),
          state: textOf(workflow, "state"),
        };
      }),
  };
}

function arrayOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(from: JsonObject, name: string): string {
  const value = from[name];
  return typeof value === "string" ? value : "";
}
