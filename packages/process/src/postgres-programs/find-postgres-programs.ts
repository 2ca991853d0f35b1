import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian keeps the server's programs, by version. */
const DEBIAN_VERSIONS = "/usr/lib/postgresql";

/** The directory of initdb and postgres; null when this machine has none. */
export function findPostgresPrograms(): string | null {
  const debian = existsSync(DEBIAN_VERSIONS)
    ? readdirSync(DEBIAN_VERSIONS)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(DEBIAN_VERSIONS, version, "bin"))
    : [];
  const folders = [...debian, ...(process.env["PATH"] ?? "").split(delimiter).filter(Boolean)];
  return (
    folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name)))) ?? null
  );
}
