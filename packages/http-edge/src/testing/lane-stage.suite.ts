import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type LaneEdge, type LaneEdgeOptions, startLaneEdge } from "./lane-edge.ts";

/** Starts an edge server with a lane for one test. */
export async function laneOfTest(options: LaneEdgeOptions = {}): Promise<LaneEdge> {
  const edge = await startLaneEdge(options);
  onTestFinished(() => edge.close(0));
  return edge;
}

/** Opens a connection for one test. */
export function openOfTest(port: number, options: { readonly allowHalfOpen?: boolean } = {}): Socket {
  const socket = connect({ port, host: "127.0.0.1", ...options });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Work that waits until it is told to end. */
export function gate(): { readonly work: () => Promise<void>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}
