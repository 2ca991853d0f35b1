import { parseVerdict } from "@svc/contract/parse-verdict";
import type { Verdict } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { isJsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { DrillFault } from "../drill-fault.ts";
import type { Outcome } from "../observation.ts";

/** Milliseconds to wait for one answer: twice what an adapter waits, so that lateness is seen. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Milliseconds for an answer as long as a log. */
const STREAM_TIMEOUT_MS = 60_000;

/** Largest answer in bytes that is read. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A tool call as the drill sends it. */
export interface DrillCall {
  readonly agent_id: string;
  readonly tool: string;
  readonly session_id?: string;
  readonly namespace?: string;
}

/** What one call came to. `why` says what was wrong with an answer that is not a verdict. */
export interface CallResult {
  readonly outcome: Outcome;
  readonly decisionId: string | null;
  readonly why: string | null;
}

/** One process of the deployment, asked over HTTP as anybody asks it. */
export class GatewayApi {
  readonly url: URL;
  readonly #apiKey: string | null;

  constructor(url: URL, apiKey: string | null) {
    this.url = url;
    this.#apiKey = apiKey;
  }

  /** Never throws: a call without a readable verdict is `unanswered`. */
  async execute(call: DrillCall): Promise<CallResult> {
    try {
      const { status, text } = await this.#send("POST", "/api/v1/gateway/execute", call);
      if (status !== 200) return unanswered(`status ${String(status)}`);
      const document = parseStrictJsonText(text);
      const verdict = document.ok ? parseVerdict(document.value) : document;
      if (verdict.ok) return resultOf(verdict.value);
      // A client could take it for an allow, so the drill does.
      if (/"decision"\s*:\s*"allow"/.test(text))
        return { outcome: "allowed", decisionId: null, why: "malformed" };
      return unanswered("not a verdict");
    } catch (error) {
      return unanswered(error instanceof Error ? error.message : String(error));
    }
  }

  /** @throws DrillFault when the answer is not a JSON object with a status of 2xx. */
  async request(method: "DELETE" | "GET" | "POST", path: string, body?: object): Promise<JsonObject> {
    const what = `${method} ${this.url.origin}${path}`;
    const { status, text } = await this.#send(method, path, body).catch((error: unknown) => {
      throw new DrillFault("unreachable", `${what} failed: ${reasonOf(error)}`);
    });
    const document = parseStrictJsonText(text);
    const answer = document.ok && isJsonObject(document.value) ? document.value : {};
    if (status >= 200 && status < 300 && document.ok && isJsonObject(document.value)) return answer;
    const detail = typeof answer["detail"] === "string" ? `: ${answer["detail"]}` : "";
    const kind = status === 401 || status === 403 ? "refused" : "unreachable";
    throw new DrillFault(kind, `${what} was answered ${String(status)}${detail}`);
  }

  /** The bytes of a long answer. @throws DrillFault unless its status is 200 */
  async *stream(path: string): AsyncGenerator<Uint8Array> {
    const what = `GET ${this.url.origin}${path}`;
    try {
      const answer = await this.#fetch("GET", path, AbortSignal.timeout(STREAM_TIMEOUT_MS));
      if (answer.status !== 200) throw new Error(`status ${String(answer.status)}`);
      yield* (answer.body ?? []) as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw new DrillFault("unreachable", `${what} failed: ${reasonOf(error)}`);
    }
  }

  async #send(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    const answer = await this.#fetch(method, path, AbortSignal.timeout(ANSWER_TIMEOUT_MS), body);
    return { status: answer.status, text: await readText(answer) };
  }

  #fetch(method: string, path: string, signal: AbortSignal, body?: object): Promise<Response> {
    const url = new URL(this.url);
    const [pathname = "", query = ""] = path.split("?");
    url.pathname = `${this.url.pathname.replace(/\/+$/, "")}${pathname}`;
    url.search = query;
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (this.#apiKey !== null) headers["authorization"] = `Bearer ${this.#apiKey}`;
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    // A redirect would send the key to another address.
    return fetch(url, { method, headers, signal, redirect: "manual", ...init });
  }
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error(`expected at most ${MAX_ANSWER_BYTES} bytes, found more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function unanswered(why: string): CallResult {
  return { outcome: "unanswered", decisionId: null, why };
}

function resultOf(verdict: Verdict): CallResult {
  return { outcome: outcomeOf(verdict), decisionId: verdict.decision_id ?? null, why: null };
}

function outcomeOf(verdict: Verdict): Outcome {
  switch (verdict.decision) {
    case "allow":
      return "allowed";
    case "pause":
      return "ruled";
    case "deny":
      if (verdict.reason_code === "kill_switch") return "stopped";
      return verdict.fail_closed ? "closed" : "ruled";
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name;
}
