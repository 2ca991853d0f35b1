#!/usr/bin/env node
// Whether the program of this container is alive: asks its own /healthz and exits with 0 or 1. With the
// argument `ready` it asks the server for /readyz. Needs nothing but Node, so that the image needs no curl.
import { get as getPlain } from "node:http";
import { get as getTls } from "node:https";
import { argv, env, exit, stderr } from "node:process";

/** Milliseconds that an answer may take; the image allows 3 s for the whole check. */
const ANSWER_WITHIN_MS = 2_000;

/** Where each program answers. A container runs one of them, so the other addresses refuse the connection. */
const LISTENERS = [
  "SVC_LISTEN",
  "SVC_EXTPROC_METRICS_LISTEN",
  "SVC_MCP_METRICS_LISTEN",
  "SVC_CHECKGW_METRICS_LISTEN",
];

const [mode = "alive"] = argv.slice(2);
if (mode !== "alive" && mode !== "ready") {
  stderr.write(`svc-health: expected no argument or "ready", found ${JSON.stringify(mode)}\n`);
  exit(2);
}
const names = mode === "ready" ? ["SVC_LISTEN"] : LISTENERS;
const path = mode === "ready" ? "/readyz" : "/healthz";

const answers = await Promise.all(names.map(ask));
for (const { name, problem } of answers) stderr.write(problem === null ? "" : `${name}: ${problem}\n`);
exit(answers.some(({ problem }) => problem === null) ? 0 : 1);

async function ask(name) {
  const listen = env[name];
  if (!listen) return { name, problem: "not set" };
  // A listener on every interface answers on loopback, too.
  const address = listen.replace(/^(?:0\.0\.0\.0|\[::\]):/, "127.0.0.1:");
  const isTls = name === "SVC_LISTEN" && Boolean(env.SVC_TLS_CERT_FILE);
  try {
    const status = await statusOf(`${isTls ? "https" : "http"}://${address}${path}`);
    return { name, problem: status === 200 ? null : `${path} answered ${String(status)}` };
  } catch (error) {
    // A server that asks clients for certificates is alive when it asks for one.
    if (mode === "alive" && isTls && /CERTIFICATE_REQUIRED/.test(error.code)) return { name, problem: null };
    return { name, problem: `${path} was not answered (${error.code ?? error.name})` };
  }
}

/** The certificate is for the name that others use, so its own machine does not compare it. */
function statusOf(url) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const get = url.startsWith("https:") ? getTls : getPlain;
  const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
  get(url, options, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  }).once("error", reject);
  return promise;
}
