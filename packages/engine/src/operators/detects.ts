import type { JsonValue } from "@svc/text/json-value";
import { type NamedDetector, nameOfDetector } from "../detectors/named-detector.ts";
import { anyPartHolds } from "../evaluate/any-part-holds.ts";
import { compileTextDetectors, type TextDetectors } from "../evaluate/text-detectors.ts";
import type { TextWork } from "../evaluate/text-work.ts";
import type { Truth } from "../evaluate/truth.ts";
import { DETECTORS_SCHEMA, expectDetectors } from "../validate/expect-detectors.ts";
import { onlyValue } from "./comparable-values.ts";
import { defineOperator, type Judge } from "./operator.ts";

/** Looks into every text and number below the value, names of members included. */
export const detectsOperator = defineOperator<readonly NamedDetector[]>({
  name: "detects",
  summary: "holds what one of the detectors finds, at any depth",
  judges: ["args", "anywhere"],
  validate: ({ value, scope }, reporter) => expectDetectors(value, scope.detectors, reporter),
  valueSchema: () => DETECTORS_SCHEMA,
  compile: (named, { patterns }): Judge => {
    const detectors = compileTextDetectors(named, patterns);
    return (value, work) =>
      typeof value === "boolean" || value === null ? "unsure" : judgeWithin(value, detectors, work);
  },
  show: (named) => named.map(nameOfDetector),
  comparable: onlyValue,
});

function judgeWithin(value: JsonValue, { judge, searchesAll }: TextDetectors, work: TextWork): Truth {
  return anyPartHolds(
    value,
    {
      text: (text) => judge(text, work),
      other: (scalar) => {
        if (typeof scalar === "number") return judge(String(scalar), work);
        // A boolean or a null is a text to some tools.
        const truth = searchesAll ? judge(String(scalar), work) : "fails";
        return truth === "holds" ? "unsure" : truth;
      },
    },
    work,
  );
}
