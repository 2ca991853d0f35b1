import { checkDocument, type DocumentText, readWithConflicts } from "@svc/engine/check-document";
import { compileExplaining, type ExplainingPolicy } from "@svc/engine/compile-explaining";
import { countSteps } from "@svc/engine/count-steps";
import { decidingDocument } from "@svc/engine/document-parts";
import type { PolicyReading } from "@svc/engine/read-policy";
import type { SimulationReply } from "@svc/engine/simulation-exchange";

/** `steps`: how many rules and conditions the explanation of one call lists at most. */
export type CompiledText =
  | { readonly kind: "compiled"; readonly explaining: ExplainingPolicy; readonly steps: number }
  | (SimulationReply & { readonly kind: "document_refused" });

export function compileText(document: DocumentText): CompiledText {
  const readings: PolicyReading[] = [];
  const check = checkDocument(document, (source) => {
    const reading = readWithConflicts(source);
    readings.push(reading);
    return reading;
  });
  if (check.kind !== "valid") return { kind: "document_refused", document, check };
  const [reading] = readings;
  if (reading?.ok !== true) throw new Error("a valid document was not read");
  const deciding = decidingDocument(reading.document);
  return { kind: "compiled", explaining: compileExplaining(deciding), steps: countSteps(deciding.rules) };
}
