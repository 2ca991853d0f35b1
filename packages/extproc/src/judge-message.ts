import { type AskEachOptions, askEach } from "@svc/tool-calls/ask-each";
import { inTrace } from "@svc/tool-calls/in-trace";
import { malformed, type Result } from "@svc/tool-calls/result";
import { withSessionHint } from "@svc/tool-calls/session-hint";
import { describeSources } from "./routes/identity.ts";
import type { GovernedRequest } from "./routes/plan-request.ts";
import { parseMcp } from "./shapes/mcp.ts";
import { parseModelAnswer } from "./shapes/model-answer.ts";
import type { ParsedMessage } from "./shapes/parsed-message.ts";
import { parseRest } from "./shapes/rest.ts";
import type { HttpMessage, Ruling } from "./stream/stream-state.ts";
import { isOurHeader } from "./wire/header-list.ts";

/** The ruling on a message, and the decisions behind it. */
export interface Judged {
  readonly ruling: Ruling;
  /** Decisions that allowed a call of the message. The calls run only if the message goes on. */
  readonly allowed: readonly string[];
}

/**
 * Reads the calls of a message and asks about them. When all are allowed, the message goes on with
 * the judged bytes.
 */
export async function judgeMessage(
  message: HttpMessage,
  request: GovernedRequest,
  options: AskEachOptions,
): Promise<Judged> {
  const parsed = parseMessage(message, request);
  if (!parsed.ok) return { ruling: { kind: "refuse", verdict: parsed.deny }, allowed: [] };
  const { calls, forward } = parsed.value;
  const wireCalls = calls.map((call) => ({ ...request.identity, ...call }));
  const decide = inTrace(options.decide, request.traceparent);
  const answer = await askEach(wireCalls, { ...options, decide });
  const allowed = answer.allowed.map(({ decisionId }) => decisionId);
  if (answer.kind === "blocked") {
    const verdict = withSessionHint(answer.verdict, describeSources(request.route.identity.session));
    return { ruling: { kind: "refuse", verdict }, allowed };
  }
  const forwarded = forward(answer.allowed.map(({ shaped }) => shaped));
  if (!forwarded.ok) return { ruling: { kind: "refuse", verdict: forwarded.deny }, allowed };
  const { body, changes } = forwarded.value;
  const isAsCame = body !== null && message.body !== null && Buffer.from(message.body).equals(body);
  const mark = calls.length === 0 ? "ungoverned" : "allow";
  const cleaned = { ...changes, remove: [...changes.remove, ...foreignMarks(message)] };
  return { ruling: { kind: "release", mark, body: isAsCame ? null : body, changes: cleaned }, allowed };
}

/** Headers that only this adapter may send to clients. They are removed from the answers of backends. */
function foreignMarks({ direction, headers }: HttpMessage): readonly string[] {
  return direction === "response" ? [...headers.keys()].filter(isOurHeader) : [];
}

function parseMessage(message: HttpMessage, request: GovernedRequest): Result<ParsedMessage> {
  const { shape } = request.route;
  switch (shape.kind) {
    case "mcp":
      return parseMcp(message, request, shape);
    case "rest":
      return parseRest(message, request, shape.tool);
    case "openai":
    case "anthropic":
      return parseModelAnswer(message, shape.kind);
    case "ungoverned":
      return malformed("route", "a judged route", "a route that is not judged");
  }
}
