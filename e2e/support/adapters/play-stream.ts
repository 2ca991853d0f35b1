import { type Client, type ClientDuplexStream, status } from "@grpc/grpc-js";

/** Longest wait in milliseconds for one stream to end. */
const STREAM_TIMEOUT_MS = 20_000;

/** A ProcessingRequest, sound or not. */
export type PlayedMessage = Readonly<Record<string, unknown>>;

export interface PlayedStream {
  readonly messages: readonly PlayedMessage[];
  /** Named in the first message; undefined by a proxy that says nothing of it. */
  readonly mode: string | undefined;
  readonly leaves: "half_close" | "reset";
}

export interface PlayedOutcome {
  /** Whether an Envoy, old or new, would let the request go on, by the rules of its documentation. */
  readonly goesOn: boolean;
  readonly why: string;
  readonly code: number | null;
}

interface Answer {
  readonly response?: string;
  readonly request_body?: { readonly response?: { readonly body_mutation?: BodyMutation } };
}

interface BodyMutation {
  readonly streamed_response?: { readonly end_of_stream?: boolean };
}

type ProcessStream = ClientDuplexStream<PlayedMessage, Answer>;

/** Plays one stream as its proxy, and judges the answers by Envoy's rules and not by ours. */
export function playStream(client: Client, played: PlayedStream): Promise<PlayedOutcome> {
  const { messages, mode, leaves } = played;
  const stream = (client as unknown as { Process(): ProcessStream }).Process();
  const answers: Answer[] = [];
  return new Promise((resolve) => {
    const timer = setTimeout(() => stream.cancel(), STREAM_TIMEOUT_MS);
    stream.on("data", (answer: Answer) => answers.push(answer));
    stream.on("error", () => {});
    stream.on("status", ({ code }: { readonly code: number }) => {
      clearTimeout(timer);
      resolve(judgeAnswers(played, answers, code));
    });
    messages.forEach((message, index) => {
      const config =
        index === 0 && mode !== undefined ? { protocol_config: { request_body_mode: mode } } : {};
      stream.write({ ...message, ...config });
    });
    if (leaves === "reset") setImmediate(() => stream.cancel());
    else stream.end();
  });
}

function judgeAnswers(
  { messages, mode }: PlayedStream,
  answers: readonly Answer[],
  code: number,
): PlayedOutcome {
  const outcome = (goesOn: boolean, why: string): PlayedOutcome => ({ goesOn, why, code });
  const kinds = messages.map((message) => Object.keys(message)[0] ?? "");
  const wanted = kinds.filter((kind) => kind.startsWith("request_"));
  const given = answers.map(({ response = "" }) => response).filter((kind) => kind.startsWith("request_"));
  const immediate = answers.findIndex(({ response }) => response === "immediate_response");
  if (immediate >= 0 && immediate !== answers.length - 1)
    return outcome(true, "an answer behind the last word");
  const spurious = mode !== "FULL_DUPLEX_STREAMED" && given.some((kind, index) => wanted[index] !== kind);
  if (spurious) return outcome(true, "a spurious answer, which an old Envoy takes for going on");
  if (isReleased(messages, mode, answers)) return outcome(true, "the end of the request was answered");
  if (immediate >= 0) return outcome(false, "refused");
  return outcome(code === status.OK, code === status.OK ? "ended with OK" : "ended otherwise");
}

/** Whether the part that ends the request was answered with anything but a refusal. */
function isReleased(
  messages: readonly PlayedMessage[],
  mode: string | undefined,
  answers: readonly Answer[],
): boolean {
  const count = (kind: string): number => answers.filter(({ response }) => response === kind).length;
  if (count("request_trailers") > 0) return true;
  const first = messages[0]?.["request_headers"] as { readonly end_of_stream?: boolean } | undefined;
  if (first?.end_of_stream === true) return count("request_headers") > 0;
  if (mode === "FULL_DUPLEX_STREAMED") return count("request_headers") > 0;
  // Every answer to a body passes a piece on: not one may be given before the verdict.
  return count("request_body") > 0;
}
