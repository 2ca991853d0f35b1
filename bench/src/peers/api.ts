/** Sends one request and reads a JSON answer. @throws on any other status than the wanted one. */
export function post(url: string, body: string, expectation: Expectation = {}): Promise<unknown> {
  return send("POST", url, body, expectation);
}

/** The same with PUT. */
export function put(url: string, body: string, expectation: Expectation = {}): Promise<unknown> {
  return send("PUT", url, body, expectation);
}

interface Expectation {
  readonly type?: string;
  readonly wanted?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(
  method: "POST" | "PUT",
  url: string,
  body: string,
  { type = "application/json", wanted = 200, headers = {} }: Expectation,
): Promise<unknown> {
  const response = await fetch(url, { method, headers: { ...headers, "content-type": type }, body });
  const text = await response.text();
  if (response.status !== wanted)
    throw new Error(`${url}: expected ${wanted}, found ${response.status}: ${text}`);
  return JSON.parse(text);
}

export async function createPolicy(url: string, document: string): Promise<void> {
  await post(`${url}/api/v1/policies`, document, { type: "application/yaml", wanted: 201 });
}

/** Decisions that the server says it has made, by decision. */
export async function countedDecisions(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = new Map<string, number>();
  for (const [, decision = "", count] of text.matchAll(
    /^svc_decisions_total\{.*?decision="(\w+)".*?\} (\d+)/gm,
  )) {
    counts.set(decision, (counts.get(decision) ?? 0) + Number(count));
  }
  return counts;
}
