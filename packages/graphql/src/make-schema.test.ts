import { printSchema } from "graphql";
import { expect, it } from "vitest";
import { makeSchema } from "./make-schema.ts";

// proves GQL-06
it("the schema is the one that is checked in; run this with -u after a change", async () => {
  await expect(`${printSchema(makeSchema())}\n`).toMatchFileSnapshot("../schema.graphql");
});
