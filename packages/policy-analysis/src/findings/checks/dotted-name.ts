import type { JsonObject } from "@svc/text/json-value";
import type { FindingCheck, Suspicion } from "../finding.ts";
import { withValueAt } from "../json-path.ts";
import { renderFlow } from "../render-flow.ts";
import { placeOfField, toolsOf } from "../suspect-question.ts";
import { waysTo, waysToHinge } from "../witness/assignments.ts";
import { pinned, plainCall } from "../witness/draft-call.ts";

/** `app.kubernetes.io/name`: a member whose name has dots, written as if it were four members. */
const DOTTED = /^(args\..*?\.?)((?:[a-z0-9-]+\.)+[a-z0-9-]+\/[A-Za-z0-9._-]+)$/;

/** Above them stand the members that have such names. */
const HOLDERS = /^(args\.(?:.*\.)?(?:labels|annotations|selector|matchLabels|nodeSelector)\.)(.+\..+)$/;

export const dottedName: FindingCheck = {
  code: "policy/dotted-name",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { rule, ruleWritten, written, role, at, question } = authored;
      const field = written["field"];
      if (typeof field !== "string" || field.includes('"') || question.subject.kind !== "args") continue;
      const [, above = "", name] = HOLDERS.exec(field) ?? DOTTED.exec(field) ?? [];
      if (name === undefined) continue;
      const quoted = above + JSON.stringify(name);
      const instead: JsonObject = { ...written, field: quoted };
      const hinges = waysToHinge(ruleWritten["match"] ?? null, at.slice(1));
      const repair = withValueAt(ruleWritten, at, () => instead) as JsonObject;
      const calls = (holds: boolean) =>
        toolsOf(rule, context.document).flatMap((tool) =>
          hinges.flatMap((hinge) =>
            waysTo(holds, instead).map((way) =>
              pinned(pinned({ call: plainCall(tool), pinned: [] }, hinge), way),
            ),
          ),
        );
      const common: Omit<Suspicion, "shows" | "calls"> = {
        place: placeOfField(authored),
        repair: { kind: "rule", rule, written: repair },
        words: {
          message: `a dot separates names, so ${field} does not lead to a member called ${name}`,
          expected: "quotes around a name that has dots",
          found: field,
          fix: `write field: ${renderFlow(quoted)}`,
        },
      };
      yield { ...common, shows: "passes", calls: calls(role === "stops") };
      yield { ...common, shows: "stopped", calls: calls(role === "lets") };
    }
  },
};
