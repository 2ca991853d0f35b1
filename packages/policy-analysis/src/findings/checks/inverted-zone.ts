import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectQuestion } from "../suspect-question.ts";
import { textOf } from "../text-of.ts";

/** `zone: Etc/GMT+2`: two hours west of Greenwich, because these names have the sign of POSIX. */
export const invertedZone: FindingCheck = {
  code: "policy/inverted-zone",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { value } = authored.written;
      if (authored.operator !== "within" || !isJsonObject(value)) continue;
      const [, sign = "", hours = ""] = /^Etc\/GMT([+-])([0-9]+)$/.exec(textOf(value["zone"] ?? "")) ?? [];
      if (hours === "" || hours === "0") continue;
      const offset = `UTC${sign === "+" ? "-" : "+"}${hours}`;
      const zone = `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`;
      const instead: JsonObject = { ...authored.written, value: { ...value, zone } };
      yield suspectQuestion(context, authored, {
        place: authored.node.entries.find(({ key }) => key === "value")?.value ?? authored.node,
        instead,
        shows: "passes",
        values: HOURS,
        words: {
          message: `the zone Etc/GMT${sign}${hours} is ${offset}: these names have the opposite sign`,
          expected: "the name of a place, such as Europe/Berlin, or UTC",
          found: `zone: Etc/GMT${sign}${hours}`,
          fix: `name a place; or, if UTC${sign}${hours} is meant, write ${renderFlow({ zone }).slice(1, -1)}`,
        },
      });
    }
  },
};

/** Each hour of a Monday. */
const HOURS: readonly string[] = Array.from(
  { length: 24 },
  (_, hour) => `2026-06-01T${String(hour).padStart(2, "0")}:30:00Z`,
);
