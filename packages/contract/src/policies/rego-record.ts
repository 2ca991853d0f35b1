import { z } from "zod";

const messages = () => z.array(z.string()).readonly();

export const regoRecordSchema = z
  .strictObject({
    deny: messages(),
    failed: z
      .string()
      .nullable()
      .describe("Why it could not be evaluated, as a word such as `rego_timeout`. Then it has no messages."),
    require_approval: messages(),
  })
  .meta({
    id: "RegoRecord",
    description: "What the Rego module of a policy said of a call, with secrets masked.",
  });
export type RegoRecord = Readonly<z.infer<typeof regoRecordSchema>>;
