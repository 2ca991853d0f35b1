import type { Decide } from "@svc/decision-client/decision-client";
import { refused } from "@svc/decision-client/refusal";
import type { OpenStream } from "./grpc-server.ts";
import { judgeMessage } from "./judge-message.ts";
import type { Reporter } from "./reporter.ts";
import type { FixedIdentity } from "./routes/identity.ts";
import { type GovernedRequest, planRequest } from "./routes/plan-request.ts";
import type { RouteTable } from "./routes/route-table.ts";
import { type StreamOptions, serveStream } from "./serve-stream.ts";
import type { StreamRules } from "./stream/step.ts";

export interface ExtprocOptions
  extends Pick<StreamRules<unknown>, "fallbackMode" | "maxBytes">,
    Pick<StreamOptions<unknown>, "limits" | "reportNotExecuted"> {
  readonly table: RouteTable;
  readonly identity: FixedIdentity;
  readonly decide: Decide;
  readonly reporter: Reporter;
}

const NO_ROUTE = refused("internal_error", "No route for a judged message.");

/** The adapter as a factory of streams: parse, decide and render for one HTTP request each. */
export function createExtproc(options: ExtprocOptions): OpenStream {
  const { table, identity, decide, reporter, limits, reportNotExecuted, fallbackMode, maxBytes } = options;
  return (call, metadata) =>
    serveStream<GovernedRequest | null>(call, {
      rules: {
        plan: (headers, attributes) => planRequest(table, { headers, attributes, metadata }, identity),
        fallbackMode,
        maxBytes,
      },
      judge: async (message, request, signal) =>
        request === null
          ? { ruling: { kind: "refuse", verdict: NO_ROUTE.deny }, allowed: [] }
          : judgeMessage(message, request, { decide, signal }),
      limits,
      reportNotExecuted,
      reporter,
    });
}
