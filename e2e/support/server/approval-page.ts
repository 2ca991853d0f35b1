import { randomBytes } from "node:crypto";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import type { ApprovalClaim } from "@svc/store/ports/claims";
import { entry } from "@svc/store/testing/records";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { onTestFinished } from "vitest";
import { makeTemporaryDirectory } from "../processes/temporary-directory.ts";
import { BOOTSTRAP_ENV, type Client, issueKey, operatorOf } from "./api-keys.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/** A policy under which a call of payments.refund waits for an approval. */
export const ASKING_POLICY = `id: asks
agent_id: agent-1
tools: { allowed: ["payments.*"] }
rules:
  - id: ask
    priority: 1
    match: { tool: payments.refund, condition: { field: args.amount, operator: ">", value: 5 } }
    action: require_approval
`;

/** A call that waits for an approval. */
export interface PausedCall {
  readonly id: string;
  /** The path of the page. */
  readonly path: string;
}

export interface ApprovalServer extends ServerProcess {
  /** Of the calls, in their order. */
  readonly paused: readonly PausedCall[];
  readonly operator: Client;
  readonly approverKey: string;
  readonly statusOf: (call: PausedCall | undefined) => Promise<unknown>;
}

const KEY_BYTES = 32;

/** The same as `startApprovalServer`, for one test: it goes with the test that asked for it. */
export async function approvalServer(
  calls?: readonly JsonObject[],
  env?: Readonly<Record<string, string>>,
): Promise<ApprovalServer> {
  const server = await startApprovalServer(calls, env);
  onTestFinished(async () => void (await server.stop("SIGKILL")));
  return server;
}

/** A server on which calls with these arguments wait for an approval, under ASKING_POLICY. */
export async function startApprovalServer(
  calls: readonly JsonObject[] = [{ amount: 10 }],
  env: Readonly<Record<string, string>> = BOOTSTRAP_ENV,
): Promise<ApprovalServer> {
  const { path: dataDir, remove } = await makeTemporaryDirectory();
  const paused = await storeApprovals(dataDir, calls);
  const server = await startServer({ dataDir, env });
  const stop = async (signal?: NodeJS.Signals): Promise<number | null> => {
    const code = await server.stop(signal);
    await remove();
    return code;
  };
  const operator = operatorOf(server);
  const made = await operator("POST", "policies", { yaml: ASKING_POLICY });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { key } = await issueKey(operator, { role: "approver" });
  const statusOf = async (call: PausedCall | undefined) =>
    (await operator("GET", `approvals/${call?.id ?? ""}`)).body["status"];
  return { ...server, stop, paused, operator, approverKey: key, statusOf };
}

async function storeApprovals(dataDir: string, calls: readonly JsonObject[]): Promise<PausedCall[]> {
  const store = await openSqliteStore({ dataDir, logId: "gw_seed" });
  const digest = new KeyedDigest(
    await store.deploymentKeys.deploymentKey("digest", randomBytes(KEY_BYTES).toString("hex")),
  );
  const paused: PausedCall[] = [];
  for (const args of calls) {
    const id = `apr_${randomBytes(KEY_BYTES).toString("hex")}`;
    const opensApproval = approvalOf(id);
    await store.ledger.commit([entry(rowOf(args, digest), { opensApproval })]);
    paused.push({ id, path: `/approvals/${id}` });
  }
  await store.close();
  return paused;
}

function approvalOf(approvalId: string): ApprovalClaim {
  const call = { namespace: "default", agentId: "agent-1", sessionId: "s-1", tool: "payments.refund" };
  const rule = { policyId: "asks", policyVersion: 1, ruleId: "ask", workflowId: null };
  const atMs = Date.now();
  const time = {
    atMs,
    expiresAtMs: atMs + 3_600_000,
    maxOpen: { organization: 1_000, agent: 1_000, key: 1_000 },
  };
  return {
    org: "default",
    approvalId,
    binding: approvalId,
    holdsFor: { scope: "session", covers: [] },
    anywhere: approvalId,
    requestedBy: "key-agent",
    ...call,
    ...rule,
    ...time,
  };
}

function rowOf(args: JsonObject, digest: KeyedDigest): string {
  const names = { namespace: "default", agent_id: "agent-1", session_id: "s-1", tool: "payments.refund" };
  const text = canonicalJson(args);
  const digests = { args_digest: digest.of(text), call_digest: digest.of(`call ${text}`) };
  const time = new Date().toISOString();
  const common = { v: 1, kind: "decision", time, org: "default", principal: "key-agent" };
  const reason = "The rule ask requires an approval.";
  return canonicalJson({ ...common, ...names, ...digests, args, decision: "pause", reason });
}

/** A client without a browser: keeps cookies, fills forms. */
export class FormClient {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  async get(path: string, method = "GET") {
    return this.#send(path, { method });
  }

  /** Sends the fields, with the token of the last form of this path unless another one is given. */
  async post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const token = fields["token"] ?? tokenIn((await this.get(path)).text);
    const body = new URLSearchParams({ ...fields, token });
    return this.#send(path, { method: "POST", body, headers });
  }

  async signIn(path: string, key: string) {
    return this.post(path, { action: "login", key });
  }

  async #send(path: string, init: RequestInit) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(cookie === "" ? {} : { cookie }), ...(init.headers as Record<string, string>) };
    const answer = await fetch(`${this.#url}${path}`, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
}

/** The token of the last form of a page; empty without one. */
export function tokenIn(text: string): string {
  return /name="token" value="([0-9a-f]+)"/.exec(text)?.[1] ?? "";
}
