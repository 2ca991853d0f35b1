import { jsonSchemaProblem } from "./json-schema-problem.ts";
import type { ToolArgs } from "./judgement.ts";

/** Whether a tool takes rewritten arguments, and in which form it wants them. */
export type CheckedArgs =
  | { readonly fits: true; readonly args: ToolArgs }
  | { readonly fits: false; readonly problem: string };

export type CheckArgs = (args: ToolArgs) => Promise<CheckedArgs> | CheckedArgs;

/** What Zod, Valibot, ArkType and others have in common: https://standardschema.dev */
interface StandardSchema {
  readonly "~standard": { readonly validate: (value: unknown) => unknown };
}

/**
 * How rewritten arguments are checked against the schema of a tool, which is a Standard Schema or a JSON
 * Schema. Arguments for a schema of another kind never fit.
 * @param hands `parsed`: the tool gets what the schema makes of the arguments. `as given`: the framework
 * parses them once more.
 */
export function schemaCheck(schema: unknown, hands: "as given" | "parsed"): CheckArgs {
  if (isStandardSchema(schema))
    return async (args) => {
      const checked = await checkByStandard(schema, args);
      return checked.fits && hands === "as given" ? { fits: true, args } : checked;
    };
  if (typeof schema === "object" && schema !== null)
    return (args) => {
      const problem = jsonSchemaProblem(schema, args);
      return problem === null ? { fits: true, args } : { fits: false, problem };
    };
  return () => ({ fits: false, problem: "its schema is neither a Standard Schema nor a JSON Schema" });
}

function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  const standard: unknown = Reflect.get(schema, "~standard");
  return typeof standard === "object" && standard !== null && "validate" in standard;
}

async function checkByStandard(schema: StandardSchema, args: ToolArgs): Promise<CheckedArgs> {
  const result = await schema["~standard"].validate(args);
  if (typeof result !== "object" || result === null || ("issues" in result && result.issues !== undefined))
    return { fits: false, problem: "they do not match its schema" };
  const value: unknown = "value" in result ? result.value : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { fits: false, problem: "its schema makes no object of them" };
  return { fits: true, args: { ...value } };
}
