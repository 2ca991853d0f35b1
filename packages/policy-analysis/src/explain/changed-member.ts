import type { Question } from "@svc/engine/condition";
import type { GovernedCall } from "@svc/engine/evaluation";
import { type FieldPath, parseFieldPath } from "@svc/engine/field-path";
import { nameOfSubject } from "@svc/engine/name-of-subject";
import { otherNames, parseMemberName } from "@svc/engine/names-only";
import { compileField } from "@svc/engine/read-field";
import { REMOVED } from "@svc/engine/set-at";
import type { ArgumentChange } from "./changed-argument.ts";

/** One member, whose absence makes `only_names` hold, or whose presence keeps it from holding. */
export interface MemberChange {
  readonly path: FieldPath;
  readonly change: ArgumentChange;
}

/** Null where no change of one member does. */
export function memberChange(
  { subject, test }: Question,
  call: GovernedCall,
  holds: boolean,
): MemberChange | null {
  if (subject.kind !== "args" && subject.kind !== "anywhere") return null;
  // The operand of only_names; see its file.
  const names = test.operand as readonly string[];
  const object = compileField(subject)(call);
  const others = typeof object === "symbol" ? null : otherNames(object, new Set(names));
  if (others === null || others.length !== (holds ? 1 : 0)) return null;
  const [name = [...names, "other"].join("_")] = others;
  const written = parseMemberName(name) === name ? name : JSON.stringify(name);
  const path = parseFieldPath(`${nameOfSubject(subject)}.${written}`);
  if (path === null) return null;
  const requirement = `${path.text} ${holds ? "not_exists" : "exists"}`;
  return { path, change: { to: holds ? REMOVED : "", requirement, distance: 1 } };
}
