import { foldHeaderName } from "@svc/text/fold-header-name";

/** One header as the proxy sends it; a name comes in lower case from Envoy, in any case from others. */
export interface WireHeader {
  readonly key?: string;
  readonly value?: string;
  /** Takes precedence over `value`. Envoy fills this member. */
  readonly raw_value?: Uint8Array;
}

/** Values by lower-case name in the order they came, one character per byte; repetitions stay apart. */
export type HeaderList = ReadonlyMap<string, readonly string[]>;

export function readHeaderList(headers: readonly WireHeader[] = []): HeaderList {
  const list = new Map<string, string[]>();
  for (const { key = "", value = "", raw_value: raw } of headers) {
    const name = key.toLowerCase();
    const text = raw === undefined || raw.byteLength === 0 ? value : latin1(raw);
    const values = list.get(name);
    if (values === undefined) list.set(name, [text]);
    else values.push(text);
  }
  return list;
}

/** Does not copy the bytes, because it runs for every header of every request. */
function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

/** Whether a server on the way could take the name for one of ours because it treats separators alike. */
export function isOurHeader(name: string): boolean {
  return foldHeaderName(name).startsWith("x-svc-");
}
