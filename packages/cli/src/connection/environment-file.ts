import { resolve } from "node:path";
import { z } from "zod";
import type { Terminal } from "../frame/terminal.ts";
import { byName } from "./by-name.ts";
import { protectedSchema, urlSchema } from "./context-file.ts";
import { readSettingsFile } from "./read-settings-file.ts";

/** The settings of a folder of policies. */
const FILE = "svc.yaml";

const environmentSchema = z
  .strictObject({
    url: urlSchema.optional(),
    context: z.string({ error: "expected the name of a context" }).optional(),
    protected: protectedSchema,
  })
  .refine(({ url, context }) => (url === undefined) !== (context === undefined), {
    error: "expected exactly one of url and context",
  });
type Environment = Readonly<z.output<typeof environmentSchema>>;

const fileSchema = z.strictObject(
  { environments: z.record(z.string(), environmentSchema, { error: "expected environments by name" }) },
  { error: "expected an object with environments" },
);

/**
 * The environments that `svc.yaml` of the working directory names. It never names a key: a folder that
 * somebody else wrote must not choose which file is sent. Null: there is no such file.
 */
export function readEnvironments({
  workingDirectory,
}: Pick<Terminal, "workingDirectory">): Readonly<Record<string, Environment>> | null {
  const file = readSettingsFile(resolve(workingDirectory, FILE), fileSchema);
  return file === null ? null : byName(file.environments);
}
