import type { Decide } from "@svc/contract/decide";
import type { Identity } from "@svc/tool-calls/identity";
import { denied } from "@svc/tool-calls/result";
import type { OpenStream } from "./grpc-server.ts";
import { judgeMessage } from "./judge-message.ts";
import type { Reporter, UnplannedCause, UnplannedTarget } from "./reporter.ts";
import { type GovernedRequest, NO_ROUTE_MATCHES, planRequest } from "./routes/plan-request.ts";
import type { RouteTable } from "./routes/route-table.ts";
import { type StreamOptions, serveStream } from "./serve-stream.ts";
import type { StreamRules } from "./stream/step.ts";
import type { HeaderList } from "./wire/header-list.ts";

export interface ExtprocOptions
  extends Pick<StreamRules<unknown>, "fallbackMode" | "maxBytes">,
    Pick<StreamOptions<unknown>, "limits" | "reportNotExecuted"> {
  readonly table: RouteTable;
  readonly identity: Identity;
  readonly decide: Decide;
  readonly reporter: Reporter;
}

function causeOf(plan: ReturnType<typeof denied>): UnplannedCause {
  if (plan === NO_ROUTE_MATCHES) return "unmatched";
  return plan.deny.reason_code === "agent_unknown" ? "agent_unknown" : "malformed";
}

/** Method and path, without the query: that holds arguments. */
function targetOf(headers: HeaderList): UnplannedTarget {
  const [path = ""] = (headers.get(":path")?.[0] ?? "").split("?", 1);
  return { method: headers.get(":method")?.[0] ?? "", path };
}

const NO_ROUTE = denied("internal_error", "No route for a judged message.");

/** The adapter as a factory of streams: parse, decide and render for one HTTP request each. */
export function createExtproc(options: ExtprocOptions): OpenStream {
  const { table, identity, decide, reporter, limits, reportNotExecuted, fallbackMode, maxBytes } = options;
  return (call, metadata) =>
    serveStream<GovernedRequest | null>(call, {
      rules: {
        plan: (headers, attributes) => {
          const plan = planRequest(table, { headers, attributes, metadata }, identity);
          if (!plan.ok) reporter.unplanned(causeOf(plan), plan.deny.reason, targetOf(headers));
          return plan;
        },
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
