import { isSeen } from "@svc/text/unseen";
import { BLOCKED, MISSING } from "../evaluate/field-path.ts";
import { truthOf } from "../evaluate/truth.ts";
import { defineOperator, type PresenceJudge } from "./operator.ts";

export const exists = defineOperator<null>({
  name: "exists",
  summary: "is present. A null counts as present",
  judges: ["args", "call"],
  judgesPresence: true,
  compile: (): PresenceJudge => (found) => (found === BLOCKED ? "unsure" : truthOf(found !== MISSING)),
});

export const notExists = defineOperator<null>({
  name: "not_exists",
  summary: "is absent",
  judges: ["args", "call"],
  judgesPresence: true,
  compile: (): PresenceJudge => (found) => (found === BLOCKED ? "unsure" : truthOf(found === MISSING)),
});

/** A missing field and a null hold no text. What is not a text may hold one to some tools. */
export const notEmpty = defineOperator<null>({
  name: "not_empty",
  summary: "is a text with a character that a reader sees",
  judges: ["args", "call"],
  judgesPresence: true,
  compile: (): PresenceJudge => (found) => {
    if (found === MISSING || found === null) return "fails";
    return typeof found === "string" ? truthOf(isSeen(found)) : "unsure";
  },
});
