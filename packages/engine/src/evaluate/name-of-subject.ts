import type { Subject } from "../condition.ts";

/** As the policy names it. */
export function nameOfSubject(subject: Subject): string {
  switch (subject.kind) {
    case "args":
      return subject.path.text;
    case "anywhere":
      return "args";
    case "time":
      return "time";
    case "call":
    case "usage":
      return subject.name;
    case "elements":
      return subject.places.map(({ name }) => name).join(", ");
  }
}
