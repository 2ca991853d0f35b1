import { ALLOW, verdict } from "./gateway-verdicts.ts";
import { type RecordingServer, type Responder, startRecordingServer } from "./recording-server.ts";

/** What to answer: always the same, or by the call. */
export type Script = object | ((call: Readonly<Record<string, unknown>>) => object);

/** A gateway with scripted answers. It has no kill switches, and accepts every outcome. */
export interface ScriptedGateway {
  readonly url: string;
  /** What to answer from now on. */
  answer(script: Script): void;
  /** How to treat calls from now on, instead of answering them. */
  failWith(responder: Responder): void;
  /** The calls it was asked about. */
  calls(): readonly Record<string, unknown>[];
  outcomes(): readonly Record<string, unknown>[];
  readonly server: RecordingServer;
}

const EXECUTE = "/api/v1/gateway/execute";
const OUTCOME = "/api/v1/gateway/outcome";
const KILL_SWITCHES = "/api/v1/gateway/kill-switches";

/** The complete list for who knows none, and nothing new for others. */
const noNews: Responder = (request, response) => {
  const complete = !request.url.includes("?");
  verdict({ epoch: "scripted", revision: 1, complete, kill_switches: [], ended: [] })(request, response);
};

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  let respond: Responder = verdict(ALLOW);
  const server = await startRecordingServer((request, response) => {
    if (request.url === EXECUTE) respond(request, response);
    else if (request.url === OUTCOME) verdict({ recorded: true })(request, response);
    else if (request.url.startsWith(KILL_SWITCHES)) noNews(request, response);
    else verdict({ kill_switches: [], next_cursor: null })(request, response);
  });
  const bodiesTo = (path: string) =>
    server.requests.filter(({ url }) => url === path).map(({ body }) => callIn(body));
  return {
    url: `http://127.0.0.1:${String(server.port)}`,
    answer: (script) => {
      respond = (request, response) =>
        verdict(typeof script === "function" ? script(callIn(request.body)) : script)(request, response);
    },
    failWith: (responder) => {
      respond = responder;
    },
    calls: () => bodiesTo(EXECUTE),
    outcomes: () => bodiesTo(OUTCOME),
    server,
  };
}

function callIn(body: string): Record<string, unknown> {
  return JSON.parse(body) as Record<string, unknown>;
}
