import { decidingDocument } from "@svc/engine/document-parts";
import type { PolicyReading } from "@svc/engine/read-policy";
import { checkDocument, type DocumentText } from "@svc/policy-analysis/check-document";
import { compileExplaining, type ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { countSteps } from "@svc/policy-analysis/count-steps";
import { readExamined } from "@svc/policy-analysis/read-examined";
import type { SimulationReply } from "@svc/policy-analysis/simulation-exchange";

/** `steps`: how many rules and conditions the explanation of one call lists at most. */
export type CompiledText =
  | { readonly kind: "compiled"; readonly explaining: ExplainingPolicy; readonly steps: number }
  | (SimulationReply & { readonly kind: "document_refused" });

export function compileText(document: DocumentText): CompiledText {
  const readings: PolicyReading[] = [];
  const check = checkDocument(document, (source) => {
    const reading = readExamined(source);
    readings.push(reading);
    return reading;
  });
  if (check.kind !== "valid") return { kind: "document_refused", document, check };
  const [reading] = readings;
  if (reading?.ok !== true) throw new Error("a valid document was not read");
  const deciding = decidingDocument(reading.document);
  return { kind: "compiled", explaining: compileExplaining(deciding), steps: countSteps(deciding.rules) };
}
