/** A browser without scripts: it keeps cookies by origin and follows redirects one by one. */
export class PlainBrowser {
  readonly #jars = new Map<string, Map<string, string>>();
  /** Where it is. */
  url = "";

  cookies(origin: string): ReadonlyMap<string, string> {
    return this.#jars.get(origin) ?? new Map();
  }

  async open(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    this.url = url;
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers: Record<string, string> = cookie === "" ? {} : { cookie };
    const sent = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
    const answer = await fetch(url, { redirect: "manual", headers, ...sent });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const at = pair.indexOf("=");
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  /**
   * Follows redirects, and signs in as this person where the provider asks.
   * @param until stops before an address that begins with this
   */
  async walk(start: string, person: string, until?: string): Promise<Response> {
    let answer = await this.open(start);
    for (let steps = 0; steps < 20; steps += 1) {
      const location = answer.headers.get("location");
      if (location !== null) {
        const next = new URL(location, this.url).href;
        if (until !== undefined && next.startsWith(until)) {
          this.url = next;
          return answer;
        }
        answer = await this.open(next);
        continue;
      }
      const page = await answer.clone().text();
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (action === undefined || prompt === undefined) return answer;
      answer = await this.open(new URL(action, this.url).href, { prompt, login: person, password: "x" });
    }
    throw new Error(`the login leads nowhere: ${this.url}`);
  }

  /** Signs in, and lets svc-cli act as this person. @returns where the page leads to */
  async giveLogin(page: string, person: string): Promise<string> {
    const { pathname, search, origin } = new URL(page);
    const asked = await this.walk(`${origin}/login/0?to=${encodeURIComponent(pathname + search)}`, person);
    const token = /name="token" value="([0-9a-f]+)"/.exec(await asked.text())?.[1] ?? "";
    const given = await this.open(page, { action: "approve", token });
    return given.headers.get("location") ?? `nowhere: ${String(given.status)}`;
  }
}
