import type { Logger } from "@svc/process/logger";
import type { AskVerdict } from "./ask-verdict.ts";
import type { InterceptorOutput } from "./interceptor-output.ts";
import type { InterceptorSettings } from "./interceptor-settings.ts";
import { parseInterceptorEvent } from "./parse-interceptor-event.ts";
import { refuseEvent } from "./read-event.ts";
import { renderVerdict } from "./render-verdict.ts";

/** The part of the Lambda context of an invocation that is used here. */
export interface InvocationContext {
  getRemainingTimeInMillis?(): number;
}

/** A handler of AWS Lambda. Never rejects: what a gateway does when a function fails is not known. */
export type InterceptorHandler = (event: unknown, context?: InvocationContext) => Promise<InterceptorOutput>;

export interface InterceptorParts {
  readonly settings: InterceptorSettings;
  /** Milliseconds for a verdict; less when the invocation itself ends sooner. */
  readonly timeoutMs: number;
  readonly ask: AskVerdict;
  readonly logger: Pick<Logger, "info" | "error">;
}

/** Milliseconds before the end of an invocation at which the answer must be on its way. */
const ANSWER_MARGIN_MS = 250;

/** Shortest wait in milliseconds: with less time left the answer is a deny, but a deny that is given. */
const MIN_WAIT_MS = 1;

/** Answers events: reads, asks, renders; a defect of ours is a deny. */
export function createInterceptor(parts: InterceptorParts): InterceptorHandler {
  return async (event, context) => {
    try {
      return await intercept(event, parts, waitMs(parts.timeoutMs, context));
    } catch (error) {
      parts.logger.error({ error: nameOf(error) }, "an event could not be answered");
      return refuseSafely(event, "The interceptor failed before a verdict was obtained.");
    }
  };
}

/** Denies every call. Used when the configuration is not usable. */
export function createDenyingInterceptor(): InterceptorHandler {
  return async (event) => refuseSafely(event, "The interceptor is not configured: see its log.");
}

async function intercept(
  event: unknown,
  parts: InterceptorParts,
  timeoutMs: number,
): Promise<InterceptorOutput> {
  const plan = parseInterceptorEvent(event, parts.settings);
  if (plan.kind === "done") return plan.output;
  const verdict = await parts.ask(plan.pending.call, timeoutMs);
  const { decision, decision_id } = verdict;
  const reasonCode = verdict.decision === "allow" ? undefined : verdict.reason_code;
  parts.logger.info({ decision, decision_id, reason_code: reasonCode }, "judged");
  return renderVerdict(plan.pending, verdict);
}

function waitMs(timeoutMs: number, context: InvocationContext | undefined): number {
  const remainingMs = context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY;
  return Math.max(MIN_WAIT_MS, Math.min(timeoutMs, remainingMs - ANSWER_MARGIN_MS));
}

/** An event that is not plain data may throw when it is read. */
function refuseSafely(event: unknown, reason: string): InterceptorOutput {
  try {
    return refuseEvent(event, "internal_error", reason);
  } catch {
    return refuseEvent(null, "internal_error", reason);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
