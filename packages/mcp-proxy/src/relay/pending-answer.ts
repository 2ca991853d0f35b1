import type { ServerResponse } from "node:http";
import type { DenyVerdict } from "@svc/contract/verdict";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { renderFailure, renderRefusal } from "../calls/render-verdict.ts";
import { sendMessage } from "../calls/send-message.ts";
import type { Caller } from "../headers/caller.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import type { Memory } from "../memory/memory.ts";
import type { AskingCall } from "../memory/open-questions.ts";
import type { OnAnswer } from "../memory/open-requests.ts";
import type { Reporting } from "../reporting.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";
import type { RpcAnswer } from "./server-message.ts";

/** A request that went to the server, and the client that waits for the answer to its id. */
export interface PendingAnswer {
  readonly request: RpcRequest;
  readonly response: ServerResponse;
  readonly running: RunningCall;
  readonly caller: Caller;
  /** The call that was judged; null for a request that passed without a verdict. */
  readonly call: AskingCall | null;
  /** Sees the answer before the client does, and returns what the client gets. */
  readonly onAnswer: OnAnswer;
}

/** What relaying an answer needs. */
export type RelayParts = Reporting & Pick<Memory, "tasks" | "openRequests" | "questions">;

/** How a request ended. `unknown`: the server may still be at work, or may have been. */
export type Ending =
  | { readonly kind: "answered"; readonly answer: RpcAnswer }
  | { readonly kind: "not_executed" | "refused" | "stopped" | "unknown" };

/** Answers in the server's place: with the kill switch that stopped the call, else with the failure. */
export function failPendingAnswer(
  { request, response, running }: PendingAnswer,
  { settings, reporter }: Reporting,
  failure: UpstreamFailure,
): Ending {
  const deny = running.stopped();
  if (deny !== null) {
    sendMessage(response, renderRefusal(request, deny, settings.denyAs));
    return failure.notSent ? { kind: "not_executed" } : endingOf(deny);
  }
  if (!running.signal.aborted) reporter.upstreamFailed(failure.code);
  sendMessage(response, renderFailure(request, failure, settings.denyAs));
  return { kind: failure.notSent ? "not_executed" : "unknown" };
}

/** How a call ended that was stopped. Without news of kill switches its result may still be fetched later. */
export function endingOf({ reason_code }: DenyVerdict): Ending {
  return { kind: reason_code === "kill_switch" ? "stopped" : "unknown" };
}

/** @param what completes the sentence "The MCP server ..." */
export function invalidAnswer(what: string): UpstreamFailure {
  return { code: "upstream_invalid", reason: `The MCP server ${what}.`, notSent: false };
}
