import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { renderExecuteBody } from "@svc/contract/execute-body";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { type DenyVerdict, failClosedDeny, type Verdict } from "@svc/contract/verdict";
import type { Answerer } from "@svc/decision-client/judge-answer";
import { readVerdict } from "@svc/decision-client/read-verdict";
import { MisdirectedAnswer, RequestNames, requestNamedBy } from "@svc/decision-client/request-names";
import { transportCode } from "@svc/decision-client/transport-code";
import { within } from "@svc/process/within";
import { withSessionHint } from "@svc/tool-calls/session-hint";

/**
 * Asks for a verdict within so many milliseconds. Resolves with an allow only if a readable verdict is one.
 * @throws if the call cannot be written as JSON. Then nothing was asked.
 */
export type AskVerdict = (call: ExecuteRequest, timeoutMs: number) => Promise<Verdict>;

/** It has no keys. It refuses questions that look like those of an auth hook. */
const CHECKGW: Answerer = { name: "svc-checkgw", refuses: "the form of the question" };

const SESSION_HINT = '_meta["svc/sessionId"] in the request, or the header Mcp-Session-Id';

/** Asks the /verdict of the svc-checkgw at a base address, whose path is kept as a prefix. */
export function createAskVerdict(checkgwUrl: URL, monotonicMs: () => number): AskVerdict {
  const url = new URL(checkgwUrl);
  url.pathname = `${checkgwUrl.pathname.replace(/\/+$/, "")}/verdict`;
  const names = new RequestNames();
  return async (call, timeoutMs) => {
    const question = { body: renderExecuteBody(call), name: names.next() };
    const endsAtMs = monotonicMs() + timeoutMs;
    const controller = new AbortController();
    const outcome = await within(timeoutMs, exchange(url, question, controller.signal));
    if (outcome.kind === "late") controller.abort();
    // After the event loop was blocked, the answer and the end of the wait arrive together.
    return outcome.kind === "in_time" && monotonicMs() < endsAtMs ? outcome.value : denyLate(timeoutMs);
  };
}

interface Question {
  readonly body: string;
  /** As in X-Request-Id. */
  readonly name: string;
}

/** Never rejects: the loser of the race against the clock must not leave an unhandled rejection. */
async function exchange(url: URL, question: Question, signal: AbortSignal): Promise<Verdict> {
  try {
    const response = await post(url, question, signal);
    const { statusCode: status = 0, headers } = response;
    // A proxy may remove the name. One that returns the name of another request has mixed answers up.
    if (requestNamedBy(headers["x-request-id"], question.name) === "another") throw new MisdirectedAnswer();
    const answer = { status, headers, body: await readAtMost(response, MAX_VERDICT_BYTES) };
    return withSessionHint(readVerdict(answer, CHECKGW), SESSION_HINT);
  } catch (error) {
    const reason = `No answer came from svc-checkgw (${transportCode(error)}).`;
    return failClosedDeny("gateway_unreachable", reason);
  }
}

/**
 * Sends one request over a connection of its own, because a function is frozen between its invocations and
 * an open connection does not survive that. No redirect is followed and nothing is sent twice.
 */
function post(url: URL, { body, name }: Question, signal: AbortSignal): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    accept: "application/json",
    "accept-encoding": "identity",
    "x-request-id": name,
  };
  return new Promise((resolve, reject) => {
    const request = send(url, { method: "POST", agent: false, headers, signal });
    request.on("error", reject);
    request.on("response", resolve);
    // The request sent no Expect header, so a program that answers "continue" is not svc-checkgw.
    request.on("continue", () => {
      reject(new Error("100 Continue to a request that did not ask for it"));
      request.destroy();
    });
    request.end(body);
  });
}

/** @returns null when there is more; leaving the loop early destroys the stream and its socket. */
async function readAtMost(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function denyLate(timeoutMs: number): DenyVerdict {
  return failClosedDeny("decision_timeout", `svc-checkgw gave no verdict within ${String(timeoutMs)} ms.`);
}
