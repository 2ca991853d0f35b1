import { z } from "zod";
import { MAX_FILTER_VALUES } from "../limits.ts";
import { listValues } from "./list-values.ts";
import { isName, NAME_EXPECTATION } from "./name.ts";

/** Longest cursor in characters: ours are shorter. */
const MAX_CURSOR_LENGTH = 1_024;

/** The words of parameters that take several values; empty where any word may be sent. */
const LISTS = new WeakMap<z.ZodType, readonly string[]>();

/** Notes that a parameter takes several values. */
export function listParameterOf<Schema extends z.ZodType>(schema: Schema, words: readonly string[]): Schema {
  LISTS.set(schema, words);
  return schema;
}

/** The words of a parameter that takes several values; empty: any. Null: it takes one value. */
export function wordsOf(schema: z.ZodType): readonly string[] | null {
  return LISTS.get(schema) ?? null;
}

/** A whole number in a query, which is text until it is read. */
export function integerParameter({ min, max }: { readonly min: number; readonly max: number }) {
  const error = `expected a number from ${String(min)} to ${String(max)}`;
  return z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,14})$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
    .meta({ jsonSchema: { type: "integer", minimum: min, maximum: max } });
}

/** `true` or `false` in a query; false when it is absent. */
export function flagParameter() {
  return z
    .enum(["true", "false"], { error: "expected one of true, false" })
    .default("false")
    .transform((text) => text === "true")
    .meta({ jsonSchema: { type: "boolean", default: false } });
}

/** One of a few words in a query. */
export function choiceParameter<const Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  fallback: Choice,
) {
  return z.enum(choices, { error: `expected one of ${choices.join(", ")}` }).default(fallback as never);
}

/** Comma-separated words of a closed list. */
export function wordsParameter<const Word extends string>(words: readonly Word[], what: string) {
  const isKnown = (values: string[]): values is Word[] =>
    values.every((value) => words.some((word) => word === value));
  const error = `expected one or more of ${words.join(", ")}, separated by commas`;
  const schema = z
    .string({ error })
    .transform((text) => [...new Set(text.split(","))])
    .refine(isKnown, { error })
    .optional()
    .meta({ jsonSchema: { type: "string" }, description: `${what} One or more of ${words.join(", ")}.` });
  return listParameterOf(schema, words);
}

/** Comma-separated names. @param most how many */
export function namesParameter(what: string, most: number = MAX_FILTER_VALUES) {
  const error =
    `expected 1 to ${String(most)} names, separated by commas (%2C in one), each of ` + NAME_EXPECTATION;
  const schema = z
    .string({ error })
    .transform((text) => [...new Set(listValues(text))])
    .refine((values) => values.length <= most && values.every(isName), { error })
    .optional()
    .meta({
      jsonSchema: { type: "string" },
      description: `${what} Several values: separate them by commas.`,
    });
  return listParameterOf(schema, []);
}

/** The query parameters of every list, from its limits. */
export function pageParameters({ max, fallback }: { readonly max: number; readonly fallback: number }) {
  return {
    limit: integerParameter({ min: 1, max })
      .optional()
      .transform((limit) => limit ?? fallback)
      .meta({
        jsonSchema: { type: "integer", minimum: 1, maximum: max, default: fallback },
        description: "Items on the page.",
      }),
    cursor: z
      .string()
      .max(MAX_CURSOR_LENGTH, { error: "expected the next_cursor of a page of this list" })
      .optional()
      .describe("The `next_cursor` of the page before. Absent: the first page."),
  };
}
