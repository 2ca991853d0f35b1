import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { Decide, DecideOptions } from "@svc/contract/decide";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { AllowVerdict, Verdict } from "@svc/contract/verdict";
import { listenOnLoopback, portOf } from "@svc/decision-client/testing/faulty-gateway";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { LOOPBACK_HOSTS } from "@svc/http-edge/host-check";
import { Registry } from "prom-client";
import { createCheckgw } from "../checkgw.ts";
import type { CheckgwSettings } from "../checkgw-settings.ts";
import type { Guardrail } from "../guardrail/guardrail.ts";
import { createReporter } from "../reporter.ts";

/** One question that reached the scripted gateway. */
export interface Asked {
  readonly call: ExecuteRequest;
  readonly options: DecideOptions | undefined;
}

export interface TestRequest {
  readonly method?: string;
  readonly target?: string;
  /** The Host header. */
  readonly host?: string;
  /** Names and values in turn, as they go on the wire; repetitions are kept. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestCheckgw {
  readonly url: string;
  readonly asked: Asked[];
  /** Defects that the adapter logged as errors. */
  readonly defects: object[];
  readonly registry: Registry;
  send(request: TestRequest): Promise<TestAnswer>;
  close(): Promise<void>;
}

export const ALLOW: AllowVerdict = { decision: "allow", decision_id: "g.1", args_constrained: false };

const SETTINGS: CheckgwSettings = {
  identity: { agentId: null, namespace: null },
  allowedHosts: LOOPBACK_HOSTS,
  strictShaping: false,
  decisionTimeoutMs: 5_000,
};

/** Starts the adapter's handler on a free port with a gateway that answers what the test says. */
export async function startTestCheckgw(
  decide: Decide | Verdict = ALLOW,
  settings: Partial<CheckgwSettings> = {},
  guardrail: Guardrail = () => Promise.reject(new Error("no guardrail here")),
): Promise<TestCheckgw> {
  const asked: Asked[] = [];
  const defects: object[] = [];
  const registry = new Registry();
  const handler = createCheckgw({
    settings: { ...SETTINGS, ...settings },
    decide: (call, options) => {
      asked.push({ call, options });
      return typeof decide === "function" ? decide(call, options) : Promise.resolve(decide);
    },
    guardrail,
    reporter: createReporter(
      { debug: () => {}, info: () => {}, warn: () => {}, error: (fields) => defects.push(fields) },
      registry,
    ),
    monotonicMs: () => performance.now(),
  });
  const server = createEdgeServer({ handle: handler, onError: (error) => defects.push({ error }) });
  const close = await listenOnLoopback(server);
  const port = portOf(server);
  const url = `http://127.0.0.1:${port}`;
  return { url, asked, defects, registry, close, send: (request) => send(port, request) };
}

function send(
  port: number,
  { method = "GET", target = "/check", host = "127.0.0.1", headers = [], body }: TestRequest,
): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    // The flat form is written to the wire as it stands: nothing is merged, and nothing is added but what is
    // here.
    const length = body === undefined ? [] : ["content-length", String(Buffer.byteLength(body))];
    const flat = ["host", host, ...length, ...headers.flat()];
    const outgoing = httpRequest({
      port,
      host: "127.0.0.1",
      method,
      path: target,
      headers: flat,
      agent: false,
    });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    outgoing.end(body);
  });
}
