import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { PolicyReportAnswer } from "@svc/contract/policy-report";
import { type Command, Option } from "commander";
import type { ControlClient } from "../connection/control-client.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { OutputOptions } from "../frame/output.ts";
import { parseDuration } from "../frame/parse-duration.ts";

export interface StatusOptions extends ServerOptions, OutputOptions {
  /** In seconds. */
  readonly since: number;
}

/** Seconds of a day. */
const DEFAULT_SINCE_S = 86_400;

/** Adds over which time decisions are counted. */
export function withSince(command: Command): Command {
  return command.addOption(
    new Option("--since <duration>", "count the decisions of this time, at most 92d")
      .argParser(parseDuration)
      .default(DEFAULT_SINCE_S, "24h"),
  );
}

/** What a policy decided in the last time. @throws CommandFailure */
export async function reportSince(
  client: Pick<ControlClient, "ask">,
  id: string,
  { since }: Pick<StatusOptions, "since">,
): Promise<PolicyReportAnswer> {
  const from = new Date(Date.now() - since * 1_000).toISOString();
  const params = { policy_id: id };
  return (await client.ask(auditQueryRoutes.getPolicyReport, { params, query: { since: from } })).body;
}
