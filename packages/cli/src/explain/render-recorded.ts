import type { DecisionExplanation } from "@svc/contract/decision-explanation";
import { CODES_PAGE } from "@svc/contract/problem";
import { REASON_PREFIX } from "@svc/contract/verdict";
import { renderTrace } from "@svc/policy-analysis/render-trace";
import { endpointOf } from "../connection/api-endpoint.ts";
import type { Piece } from "../frame/text.ts";
import { changeLines } from "./render-explanation.ts";

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
