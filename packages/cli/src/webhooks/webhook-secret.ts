import { resolve } from "node:path";
import { isWebhookSecret, newWebhookSecret } from "@svc/contract/sign-webhook";
import { readKeyFile } from "../connection/read-key.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

/** The secret of a file of mode 600, or a new one. @throws CommandFailure `usage` */
export function webhookSecret(
  file: string | undefined,
  { workingDirectory }: Pick<Terminal, "workingDirectory">,
): string {
  if (file === undefined) return newWebhookSecret();
  const secret = readKeyFile(resolve(workingDirectory, file));
  if (isWebhookSecret(secret)) return secret;
  throw new CommandFailure("usage", `${file}: expected whsec_ and Base64, found another text (not shown)`);
}
