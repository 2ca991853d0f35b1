import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { Field, Subject } from "../condition.ts";
import type { BLOCKED, MISSING } from "../evaluate/field-path.ts";
import type { PatternSet } from "../evaluate/pattern-set.ts";
import type { TextWork } from "../evaluate/text-work.ts";
import type { Truth } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import type { MapNode, SourceNode } from "../read/source-node.ts";
import type { DocumentScope } from "../validate/condition-place.ts";
import type { Compared } from "../validate/expect-value.ts";
import type { ValueReading } from "./value-reading.ts";

/** One operator of conditions: everything that the language knows about it. */
export interface OperatorDefinition<Operand> {
  /** As written after `operator:`. */
  readonly name: string;
  /** What it says of its field, for people who write a policy in an editor: "is a text that ...". */
  readonly summary: string;
  /** The kinds of fields that it judges. An element of a list is judged as `args`. */
  readonly judges: readonly Field["kind"][];
  /**
   * Whether it judges the object that holds all arguments, where others look for something in one of them. A
   * rule may then allow because it holds.
   */
  readonly judgesAllArguments?: true;
  /** Whether the condition takes `ignore_case`. */
  readonly canIgnoreCase?: true;
  /** Further keys of the condition with their schemas. The keys also stand in `PLACES`. */
  readonly keys?: Readonly<Record<string, JsonObject>>;
  /**
   * Makes plain data of what the document says: it crosses threads as JSON. Null exactly when it has reported
   * an error. Absent: the operator takes no value.
   */
  readonly validate?: (source: OperandSource, reporter: Reporter) => Operand | null;
  /** What `validate` takes, as far as a schema can say it. Absent together with `validate`. */
  readonly valueSchema?: (compared: Compared) => JsonObject;
  /** Works out everything that does not depend on the call. */
  readonly compile: (operand: Operand, options: JudgeOptions) => Judge | PresenceJudge;
  /**
   * Whether `compile` returns a judge of presence. It is also asked about a missing field, and a null on the
   * way to the field counts as missing.
   */
  readonly judgesPresence?: true;
  /** Compares with another field of the call. Absent: the condition takes no `value_field`. */
  readonly compileAgainst?: (options: JudgeOptions) => PairJudge;
  /**
   * Judges with the help of an argument of the call. The condition names it under this key beside its value.
   * The key is also one of `keys`.
   */
  readonly beside?: {
    readonly key: string;
    readonly compile: (operand: Operand) => PairJudge;
  };
  /** What the keys of the condition say of each other, for the schema. */
  readonly relations?: JsonObject;
  /** What a simulation shows as expected. Absent: the operator compares with nothing. */
  readonly show?: (operand: Operand) => JsonValue;
  /** What it read in a value, for reasons and simulations. Absent: nothing but the value itself. */
  readonly describe?: (operand: Operand, value: JsonValue) => ValueReading | null;
  /** One form for all values that mean the same, to compare two policies. Absent: the value as it stands. */
  readonly comparable?: (value: JsonValue) => JsonValue;
}

export interface OperandSource {
  /** The whole condition; its keys are known. */
  readonly condition: MapNode;
  readonly members: ReadonlyMap<string, SourceNode>;
  /** What stands under `value`. */
  readonly value: SourceNode;
  readonly subject: Subject;
  readonly scope: DocumentScope;
}

export interface JudgeOptions {
  readonly patterns: PatternSet;
  readonly ignoreCase: boolean;
  /** Whether the field is all arguments: a judge then gets the object that holds them. */
  readonly isAnywhere: boolean;
}

/**
 * Three-valued: `unsure` for a value that may mean one thing to this operator and another to the tool. Never
 * throws, and takes what it searches from `work`; returns `unread` when that is used up.
 */
export type Judge = (value: JsonValue, work: TextWork) => Truth;

export type PresenceJudge = (found: JsonValue | typeof MISSING | typeof BLOCKED) => Truth;

export type PairJudge = (value: JsonValue, other: JsonValue, work: TextWork) => Truth;

/** An operator whose operand only it knows the type of. */
export type Operator = OperatorDefinition<unknown>;

/** Forgets the type of the operand: only what `validate` returned ever comes back to `compile` and `show`. */
export function defineOperator<Operand>(definition: OperatorDefinition<Operand>): Operator {
  return definition as OperatorDefinition<unknown>;
}
