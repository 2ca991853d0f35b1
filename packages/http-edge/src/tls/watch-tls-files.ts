import { readTlsFiles, type TlsFiles, type TlsPaths } from "./tls-files.ts";

/** Milliseconds between two checks of the files. Certificates are renewed hours before they expire. */
const RELOAD_INTERVAL_MS = 10_000;

export interface TlsWatch {
  readonly paths: TlsPaths;
  /** The files in use. */
  readonly files: TlsFiles;
  /** Takes renewed files into use. */
  readonly renew: (files: TlsFiles) => void;
  /** Called once for each set of files that cannot be used. The files in use stay in use. */
  readonly onFault: (error: Error) => void;
  readonly intervalMs?: number;
}

/** Takes over renewed certificates as soon as all files match. @returns the function that stops the watch. */
export function watchTlsFiles(watch: TlsWatch): () => void {
  const { paths, renew, onFault, intervalMs = RELOAD_INTERVAL_MS } = watch;
  let serving = textOf(watch.files);
  let lastFault = "";
  const look = (): void => {
    try {
      const files = readTlsFiles(paths);
      lastFault = "";
      if (textOf(files) === serving) return;
      renew(files);
      serving = textOf(files);
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      if (fault.message !== lastFault) onFault(fault);
      lastFault = fault.message;
    }
  };
  const timer = setInterval(look, intervalMs).unref();
  return () => clearInterval(timer);
}

function textOf({ cert, key, ca }: TlsFiles): string {
  return Buffer.concat([cert, key, ca ?? Buffer.alloc(0)]).toString("base64");
}
