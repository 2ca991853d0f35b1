import { gzipSync } from "node:zlib";
import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { ALLOW_BODY, type RawAnswer, renderAnswer } from "./answers.ts";
import type { FailClosedFault } from "./fail-closed-fault.ts";
import { startRawGateway } from "./faulty-gateway.ts";

const wanted = "verdict_unreadable";

/** An allow with one field changed, added, or (when undefined) left out. */
function allowWith(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(ALLOW_BODY) as object), ...change });
}

const bodies: Readonly<Record<string, string | Uint8Array>> = {
  "an empty body": "",
  "truncated JSON": ALLOW_BODY.slice(0, -1),
  "trailing garbage": `${ALLOW_BODY}x`,
  "two JSON documents": `${ALLOW_BODY}\n${ALLOW_BODY}`,
  "duplicate keys, deny first": `{"decision":"deny",${ALLOW_BODY.slice(1)}`,
  "duplicate keys, deny last": `${ALLOW_BODY.slice(0, -1)},"decision":"deny"}`,
  "a key spelled twice, once escaped": `{"\\u0064ecision":"deny",${ALLOW_BODY.slice(1)}`,
  "a byte order mark": `\uFEFF${ALLOW_BODY}`,
  "UTF-16": Buffer.from(ALLOW_BODY, "utf16le"),
  "invalid UTF-8": Buffer.from(ALLOW_BODY.replace("gateway-1.7", "gateway-\xFF.7"), "latin1"),
  "a comment": `${ALLOW_BODY} // fine`,
  "a prototype key": `{"__proto__":${ALLOW_BODY}}`,
  "JSON null": "null",
  "JSON true": "true",
  "the string allow": '"allow"',
  "an array": `[${ALLOW_BODY}]`,
  "an empty object": "{}",
  "an unknown decision": allowWith({ decision: "permit" }),
  "a decision in other case": allowWith({ decision: "Allow" }),
  "a decision with a space": allowWith({ decision: "allow " }),
  "a missing decision": allowWith({ decision: undefined }),
  "a decision in an array": allowWith({ decision: ["allow"] }),
  "a boolean decision": allowWith({ decision: true }),
  "a boolean called allowed": JSON.stringify({ allowed: true, verdict: true, result: "allow" }),
  "an allow without decision_id": allowWith({ decision_id: undefined }),
  "an allow with an empty decision_id": allowWith({ decision_id: "" }),
  "an allow with a numeric decision_id": allowWith({ decision_id: 7 }),
  "args_constrained as the string false": allowWith({ args_constrained: "false" }),
  "args_constrained as null": allowWith({ args_constrained: null }),
  "args_constrained as 0": allowWith({ args_constrained: 0 }),
  "shaped_args without args_constrained": allowWith({ args_constrained: undefined, shaped_args: {} }),
  "shaped_args with args_constrained false": allowWith({ shaped_args: { amount: 1 } }),
  "args_constrained without shaped_args": allowWith({ args_constrained: true }),
  "shaped_args that is not an object": allowWith({ args_constrained: true, shaped_args: ["amount"] }),
  "a verdict of one mebibyte and one byte": ALLOW_BODY.padEnd(MAX_VERDICT_BYTES + 1),
};

const answers: Readonly<Record<string, RawAnswer>> = {
  "an HTML page with status 200": {
    status: 200,
    body: "<!doctype html><title>allow</title>",
    headers: { "content-type": "text/html" },
  },
  "an allow called text/plain": { status: 200, body: ALLOW_BODY, headers: { "content-type": "text/plain" } },
  "an allow called JSON lines": {
    status: 200,
    body: ALLOW_BODY,
    headers: { "content-type": "application/jsonl" },
  },
  "a gzip-encoded allow": {
    status: 200,
    body: gzipSync(ALLOW_BODY),
    headers: { "content-encoding": "gzip" },
  },
  "an allow called gzip that is not": {
    status: 200,
    body: ALLOW_BODY,
    headers: { "content-encoding": "gzip" },
  },
  "status 204": { status: 204, body: "" },
};

/** Other success codes, each with the body of an allow. */
const OTHER_SUCCESSES = [201, 202, 203, 206, 207, 299];

/** Answers within 2xx that hold no readable verdict. */
export const unreadableAnswers: readonly FailClosedFault[] = [
  ...Object.entries(bodies).map(([name, body]) => fault(name, { status: 200, body })),
  ...Object.entries(answers).map(([name, answer]) => fault(name, answer)),
  ...OTHER_SUCCESSES.map((status) => fault(`status ${status} with an allow`, { status, body: ALLOW_BODY })),
];

function fault(name: string, answer: RawAnswer): FailClosedFault {
  return {
    name,
    wanted,
    start: () => startRawGateway((socket) => socket.end(renderAnswer(answer))),
  };
}
