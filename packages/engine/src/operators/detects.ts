import type { JsonValue } from "@svc/contract/json-value";
import { detects } from "../detectors/detect.ts";
import type { DetectorName } from "../detectors/detector.ts";
import { anyPartHolds } from "../evaluate/any-part-holds.ts";
import { spendOnDetectors, type TextWork } from "../evaluate/text-work.ts";
import { type Truth, truthOf } from "../evaluate/truth.ts";
import { DETECTORS_SCHEMA, expectDetectors } from "../validate/expect-detectors.ts";
import { onlyValue } from "./comparable-values.ts";
import { defineOperator, type Judge } from "./operator.ts";

/** Looks into every text and number below the value, names of members included. */
export const detectsOperator = defineOperator<readonly DetectorName[]>({
  name: "detects",
  summary: "holds what one of the detectors finds, at any depth",
  judges: ["args", "anywhere"],
  validate: ({ value }, reporter) => expectDetectors(value, reporter),
  valueSchema: () => DETECTORS_SCHEMA,
  compile:
    (detectors): Judge =>
    (value, work) =>
      typeof value === "boolean" || value === null ? "unsure" : judgeWithin(value, detectors, work),
  show: (detectors) => detectors,
  comparable: onlyValue,
});

function judgeWithin(value: JsonValue, detectors: readonly DetectorName[], work: TextWork): Truth {
  const judgeText = (text: string): Truth =>
    spendOnDetectors(text, detectors, work) ? truthOf(detects(text, detectors)) : "unread";
  return anyPartHolds(value, {
    text: judgeText,
    other: (scalar) => (typeof scalar === "number" ? judgeText(String(scalar)) : "fails"),
  });
}
