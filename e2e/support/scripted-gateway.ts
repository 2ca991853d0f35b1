import { ALLOW } from "./gateway-verdicts.ts";
import { type RecordingServer, startRecordingServer } from "./recording-server.ts";

/** A gateway that answers every call alike, has no kill switches, and takes every outcome. */
export interface ScriptedGateway {
  readonly url: string;
  /** What to answer from now on. */
  answer(verdict: object): void;
  /** The calls it was asked about. */
  calls(): readonly Record<string, unknown>[];
  outcomes(): readonly Record<string, unknown>[];
  readonly server: RecordingServer;
}

const EXECUTE = "/api/v1/gateway/execute";
const OUTCOME = "/api/v1/gateway/outcome";

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  let verdict: object = ALLOW;
  const server = await startRecordingServer(({ url }, response) => {
    const list = { kill_switches: [], next_cursor: null };
    const answers: Record<string, object> = { [EXECUTE]: verdict, [OUTCOME]: { recorded: true } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answers[url] ?? list));
  });
  const bodiesTo = (path: string) =>
    server.requests
      .filter(({ url }) => url === path)
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  return {
    url: `http://127.0.0.1:${String(server.port)}`,
    answer: (next) => {
      verdict = next;
    },
    calls: () => bodiesTo(EXECUTE),
    outcomes: () => bodiesTo(OUTCOME),
    server,
  };
}
