import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { fullPaths } from "@svc/api/match-path";
import { tokenRoutes } from "@svc/api/token-routes";
import { invalidProblem } from "@svc/contract/body-problem";
import { type Problem, problem } from "@svc/contract/problem";
import { parseTokenExchange, type TokenExchange } from "@svc/contract/token-exchange";
import { exchangeToken } from "@svc/control-plane/exchange-token";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { FAILED } from "@svc/http-edge/answer";
import type { TrustedProxies } from "@svc/http-edge/connections/trusted-proxies";
import { networkOf } from "@svc/http-edge/network-of";
import type { MonotonicClock } from "@svc/process/clock";
import { type Budget, TokenBuckets } from "@svc/process/token-buckets";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import type { Logger } from "pino";
import { judgeOrigin, type OriginRules } from "./conventions/cross-origin.ts";
import { requestIdentity } from "./conventions/request-identity.ts";
import { splitTarget } from "./conventions/split-target.ts";
import type { NoteRefusal } from "./refusal-log.ts";
import { renderReply } from "./render-reply.ts";
import { type Input, parseJsonInput, readRawBody } from "./request-input.ts";
import type { AnyReply } from "./routes/handler.ts";
import { type Judge, NO_QUERY, type WebApp, type WebContext, webApp } from "./web-app.ts";

export interface TokenAppParts extends OriginRules {
  readonly controlPlane: ControlPlanePorts;
  readonly log: Logger;
  readonly noteRefusal: NoteRefusal;
  readonly trustedProxies: TrustedProxies;
  readonly clock: MonotonicClock;
}

/** Exchanges of one peer. A pipeline needs one; each reads the store and proves a signature. */
const PEER_BUDGET: Budget = { burst: 60, perSecond: 2 };

/** Most peers that are remembered, as count. */
const MAX_REMEMBERED = 10_000;

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** `POST token`. It needs no key, so it stands beside the control routes and has a limit for each address. */
export function tokenApp(parts: TokenAppParts): (judge: Judge) => WebApp {
  const peers = new TokenBuckets(PEER_BUDGET, parts.clock, MAX_REMEMBERED);
  const serve = async (c: WebContext): Promise<Response> => {
    const { incoming } = c.env;
    const { requestId, headers, fields } = requestIdentity(incoming);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const log = parts.log.child(fields);
    const answer = await answerOf({ ...parts.controlPlane, log }, incoming, () =>
      refuseAhead(c, parts, peers),
    ).catch((error: unknown): AnyReply => {
      log.error({ err: error }, "an exchange of a token failed");
      return { kind: "problem", problem: FAILED };
    });
    if (answer.kind === "problem")
      parts.noteRefusal({ code: answer.problem.code, requestId, request: incoming });
    return renderReply(c, answer, { requestId, log });
  };
  return (judge) => {
    const app = webApp();
    for (const path of fullPaths(tokenRoutes.exchangeToken)) app.on("POST", path, judge, serve);
    return app;
  };
}

async function answerOf(
  ports: ControlPlanePorts,
  request: IncomingMessage,
  refusal: () => Problem | null,
): Promise<AnyReply> {
  const refused = refusal();
  if (refused !== null) return { kind: "problem", problem: refused };
  const input = await readExchange(request);
  if (input.kind === "problem") return input;
  const outcome = await exchangeToken(ports, input.value);
  return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.value };
}

/** Why a request is refused before its body is read. */
function refuseAhead(
  c: WebContext,
  { corsOrigins, publicUrl, trustedProxies }: TokenAppParts,
  peers: TokenBuckets,
): Problem | null {
  const { incoming } = c.env;
  const origin = judgeOrigin(incoming, { corsOrigins, publicUrl });
  if (origin.kind === "refused") return origin.problem;
  if (origin.kind === "served")
    for (const [name, value] of Object.entries(origin.headers)) c.header(name, value);
  if (splitTarget(incoming.url ?? "").query !== null) return NO_QUERY;
  const { remoteAddress = "" } = incoming.socket;
  if (trustedProxies.has(remoteAddress)) return null;
  const state = peers.take(networkOf(remoteAddress));
  if (state.kind === "taken") return null;
  const wait = `Repeat the request after ${String(state.resetS)} s.`;
  return problem("too_many_requests", `Too many tokens came from this address. ${wait}`);
}

async function readExchange(request: IncomingMessage): Promise<Input<TokenExchange>> {
  const raw = await readRawBody(request, [JSON_TYPE, FORM_TYPE], MAX_BODY_BYTES);
  if (raw.kind === "problem") return raw;
  const { mediaType, bytes } = raw.value;
  return mediaType === JSON_TYPE ? parseJsonInput(bytes, parseTokenExchange) : readForm(bytes);
}

/** RFC 8693 sends a form. A name that comes twice could mean either value, so it is refused. */
function readForm(bytes: Buffer): Input<TokenExchange> {
  const fields = new Map<string, string>();
  const text = isUtf8(bytes) ? bytes.toString("utf8") : "";
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) {
      const entry = { pointer: `/${name}`, expected: "expected the field once", found: "twice" };
      return { kind: "problem", problem: invalidProblem([entry]) };
    }
    fields.set(name, value);
  }
  const parsed = parseTokenExchange(Object.fromEntries(fields));
  if (parsed.ok) return { kind: "ok", value: parsed.value };
  return { kind: "problem", problem: invalidProblem(parsed.errors) };
}
