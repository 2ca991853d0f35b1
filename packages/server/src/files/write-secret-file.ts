import { randomBytes } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Only the service's own user may read it. */
const FILE_MODE = 0o600;

/** Bytes of randomness in the name of a file that is still incomplete. */
const NAME_BYTES = 6;

/** Writes a file that holds a secret, in place of an earlier one. It is on disk when this resolves. */
export async function writeSecretFile(path: string, secret: string): Promise<void> {
  const beside = `${path}.${randomBytes(NAME_BYTES).toString("hex")}`;
  const file = await open(beside, "wx", FILE_MODE);
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
