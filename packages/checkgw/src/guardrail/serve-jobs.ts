import type { MessagePort } from "node:worker_threads";
import { createDecisionClient } from "@svc/decision-client/decision-client";
import { createGatewayDocuments } from "@svc/decision-client/gateway-documents";
import { createOutcomeReports } from "@svc/decision-client/outcome-reports";
import { judgeGuardrail } from "./judge-guardrail.ts";
import { LARGE_BODY_ROOM } from "./limits.ts";
import { type JudgeOrder, WaitingJobs } from "./waiting-jobs.ts";
import { sharedClockMs, type WorkerNews, type WorkerOrder, type WorkerSettings } from "./worker-protocol.ts";

/**
 * Judges the jobs that come through the port, each within the time that it has left, until the
 * order to close.
 */
export function serveJobs(port: MessagePort, { fixed, gatewayUrl, ...client }: WorkerSettings): void {
  const tell = (news: WorkerNews): void => port.postMessage(news);
  const settings = { ...client, gatewayUrl: new URL(gatewayUrl) };
  const decisions = createDecisionClient(settings, {
    monotonicMs: () => performance.now(),
    onFault: ({ reason, reason_code }) => tell({ kind: "fault", reason, reason_code }),
  });
  const documents = createGatewayDocuments(settings);
  const reports = createOutcomeReports(documents, ({ decisionId }) =>
    tell({ kind: "fault", reason: "A call that never ran could not be reported.", decision_id: decisionId }),
  );
  const judge = async ({ id, job, deadlineMs }: JudgeOrder): Promise<void> => {
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(deadlineMs - sharedClockMs())));
    const answer = await judgeGuardrail(job, {
      fixed,
      decide: decisions.decide,
      reportNotExecuted: reports.notExecuted,
      signal,
      budgetMs: settings.timeoutMs,
    });
    tell({ kind: "answer", id, answer });
  };
  const waiting = new WaitingJobs({
    judge: (order) => void judge(order),
    giveUp: ({ id }) => tell({ kind: "late", id }),
    roomMs: settings.timeoutMs * LARGE_BODY_ROOM,
  });
  const close = async (): Promise<void> => {
    await reports.settled();
    await documents.close();
    await decisions.close();
  };
  port.on("message", (order: WorkerOrder) => {
    if (order.kind === "judge") waiting.add(order);
    else void close().finally(() => port.close());
  });
  tell({ kind: "ready" });
}
