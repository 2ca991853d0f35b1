import { type ZodType, z } from "zod";

/** The answer of a list: one page under the plural of its items, and where the next one starts. */
export function pageSchema<const Name extends string, Item extends ZodType>(name: Name, item: Item) {
  const page = {
    [name]: z.array(item).readonly(),
    next_cursor: z
      .string()
      .nullable()
      .describe("Send it as `cursor` to get the next page. Null: the list ends here."),
  } as { readonly [Key in Name]: z.ZodReadonly<z.ZodArray<Item>> } & {
    readonly next_cursor: z.ZodNullable<z.ZodString>;
  };
  return z.strictObject(page);
}
