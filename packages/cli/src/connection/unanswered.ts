import { CommandFailure } from "../frame/exit-code.ts";

/** No answer came after the last attempt. */
export class Unanswered extends CommandFailure {
  /** False is certain: no connection was made, so the server cannot have carried the request out. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, mayHaveArrived: boolean, cause: unknown) {
    super("unreachable", message, cause);
    this.mayHaveArrived = mayHaveArrived;
  }
}

const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether a fault of fetch came before there was a connection. */
export function isNotConnected(fault: unknown): boolean {
  const cause: unknown = fault instanceof Error ? (fault.cause ?? fault) : fault;
  return cause instanceof Error && "code" in cause && NOT_CONNECTED.has(String(cause.code));
}
