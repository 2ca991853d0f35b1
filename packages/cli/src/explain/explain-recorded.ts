import { explanationRoutes } from "@svc/api/explanation-routes";
import type { DecisionExplanation } from "@svc/contract/decision-explanation";
import { CODES_PAGE } from "@svc/contract/problem";
import { REASON_PREFIX } from "@svc/contract/verdict";
import { renderTrace } from "@svc/policy-analysis/render-trace";
import { ControlClient } from "../connection/control-client.ts";
import { endpointOf } from "../connection/prepare-request.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { changeLines } from "./explain-call.ts";

/** Explains a decision of the audit log, which the server makes again. @throws CommandFailure */
export async function explainRecorded(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  const { body } = await client.ask(explanationRoutes.explainDecision, { params: { decision_id: id } });
  output.result({
    text: [...renderRecorded(body, connection.url)],
    schema: "svc.cli.explain-recorded/v1",
    json: body,
  });
  return body.agrees === false ? "failed" : "ok";
}

/** Why a recorded decision is what it is: whether it was reached again, its steps, what would change it. */
export function renderRecorded(explained: DecisionExplanation, server: URL): readonly Piece[] {
  const { summary, withdrawn, doubts, explanation, counterfactual, no_counterfactual: none } = explained;
  return [
    { text: summary, as: "strong" },
    "\n",
    ...docsLine(explained.recorded, server),
    ...(withdrawn ? [{ text: "withdrawn", as: "warning" } as const, ": its caller was denied\n"] : []),
    ...agreement(explained),
    ...doubts.map((doubt) => `  doubt: ${doubt}\n`),
    ...(explanation === null ? [] : ["\n", ...renderTrace(explanation).map((line) => `  ${line}\n`)]),
    ...(counterfactual === null ? [] : ["\n", ...changeLines(counterfactual)]),
    ...(none === null ? [] : [`\nno smaller change is known: ${none}\n`]),
  ];
}

/** A whole address, which terminals make a link. */
function docsLine({ reason_code: code }: DecisionExplanation["recorded"], server: URL): Piece[] {
  if (code === null) return [];
  const page = endpointOf(server, CODES_PAGE);
  page.hash = `${REASON_PREFIX}${code}`;
  return [`what the reason means: ${page.href}\n`];
}

function agreement({ agrees }: DecisionExplanation): Piece[] {
  if (agrees === null) return [{ text: "not decided again", as: "warning" }, "\n"];
  return agrees
    ? [{ text: "decided again", as: "good" }, ": the same decision was reached\n"]
    : [{ text: "DECIDED AGAIN DIFFERENTLY", as: "bad" }, ": please report this defect\n"];
}
