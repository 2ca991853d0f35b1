/** What people call the faults of files that they meet most. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a directory",
  ELOOP: "its links lead in a circle",
  ENOTDIR: "a part of its path is not a directory",
};

/** Why a file cannot be read, in words. */
export function readFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return FAULTS[code] ?? error.message;
}
