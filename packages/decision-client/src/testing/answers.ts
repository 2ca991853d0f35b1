/** Answers of a gateway as raw bytes, so that a fault can be anything a wire can carry. */

/** The body of an allow that every adapter must believe when it comes with a sound answer. */
export const ALLOW_BODY = JSON.stringify({
  decision: "allow",
  decision_id: "gateway-1.7",
  args_constrained: false,
});

export interface RawAnswer {
  readonly status: number;
  readonly body: string | Uint8Array;
  /** Further or replacing header lines by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Renders an answer with a matching Content-Length, as JSON unless its headers say otherwise. */
export function renderAnswer({ status, body, headers = {} }: RawAnswer): Buffer {
  const bytes = Buffer.from(body);
  const all = {
    "content-type": "application/json",
    "content-length": String(bytes.byteLength),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Scripted\r\n${lines.join("")}\r\n`), bytes]);
}
