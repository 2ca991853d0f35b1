import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { DestinationRefusedError, refuseDestination } from "./judge-destination.ts";
import type { JudgeUrlParts } from "./judge-url.ts";
import { judgingLookup } from "./judging-lookup.ts";

/** A connection for a protocol that is not HTTP, such as that of mail. */
export interface OutboundConnection {
  readonly host: string;
  readonly port: number;
  /** Whether the caller refuses to say anything secret before the connection is encrypted. */
  readonly isEncrypted: boolean;
  /** Milliseconds for the name and the connection. */
  readonly deadlineMs: number;
  /** Ends the attempt earlier. */
  readonly signal?: AbortSignal | undefined;
}

/** Connects to an address that the rules permit. @throws DestinationRefusedError, or why it failed */
export async function connectJudged(
  { rules, resolve }: JudgeUrlParts,
  { host: text, port, isEncrypted, deadlineMs, signal: ended }: OutboundConnection,
): Promise<Socket> {
  const host = text.toLowerCase();
  const refusalOf = (address: string) => refuseDestination({ host, port, address, isEncrypted }, rules);
  // No lookup is asked for an address.
  const refusal = isIP(host) === 0 ? null : refusalOf(host);
  if (refusal !== null) throw new DestinationRefusedError(refusal);
  const socket = connect({ host, port, lookup: judgingLookup(resolve, refusalOf) });
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(ended ? [ended] : [])]);
    await once(socket, "connect", { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    if (!(error instanceof Error) || error.name !== "AbortError") throw error;
    throw new Error(`no connection to ${host} within ${String(deadlineMs)} ms`, { cause: error });
  }
}
