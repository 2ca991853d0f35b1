import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredQuestion } from "../authored-rule.ts";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { shortNameOf, suspectQuestion, textsOf } from "../suspect-question.ts";
import { sampleOf } from "../witness/pattern-sample.ts";

const COMPARES_TEXT: ReadonlySet<unknown> = new Set([
  "contains",
  "starts_with",
  "ends_with",
  "matches",
  "matches_all",
  "==",
]);

/** A host that is judged as a part of a text: another host may stand in the text as well. */
export const urlAsText: FindingCheck = {
  code: "policy/url-as-text",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator } = authored;
      if (!COMPARES_TEXT.has(operator)) continue;
      const urls = urlsOf(authored);
      const [first] = textsOf(authored);
      if (first === undefined || urls.length === 0) continue;
      const isGuard = authored.role === "stops";
      const instead = within(authored, urls);
      yield suspectQuestion(context, authored, {
        place: first.place,
        instead,
        shows: "passes",
        values: urls.flatMap(isGuard ? otherSpellings : otherHosts),
        words: {
          message: isGuard
            ? "the same host has other spellings in a URL, and this condition compares the text"
            : "a URL of another host can hold this text too, and this condition compares the text",
          expected: "host_within, which reads the host of the URL",
          found: `operator: ${operator} for a URL`,
          fix: `write ${renderFlow(instead)}`,
        },
      });
    }
  },
};

interface WrittenUrl {
  readonly text: string;
  readonly host: string;
}

/** Arguments that hold a URL, by their names. */
const NAMES = /^(?:[a-z_]+_)?(?:ur[li]s?|href|endpoint|webhook)$/;

/** A name of a file and not of a host. */
const FILE = /\.(?:aspx?|csv|exe|gif|html?|jpe?g|js|json|jsp|md|pdf|php|png|py|sh|txt|xml|ya?ml|zip)$/i;

const ADDRESS = /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$/;

function urlsOf(authored: AuthoredQuestion): readonly WrittenUrl[] {
  const isPattern = authored.operator.startsWith("matches");
  const isUrl = NAMES.test(shortNameOf(authored));
  const { kind } = authored.question.subject;
  return textsOf(authored).flatMap(({ text }) => {
    const sample = isPattern ? sampleOf(text) : text;
    if (
      sample !== null &&
      ADDRESS.test(sample) &&
      authored.role === "stops" &&
      (isUrl || kind === "anywhere")
    )
      return [{ text: sample, host: sample }];
    if (FILE.test(sample ?? "")) return [];
    const bare = /^\.?((?:[a-z0-9-]+\.)+[a-z]{2,})$/i.exec(sample ?? "")?.[1];
    if (sample !== null && bare !== undefined && isUrl) return [{ text: sample, host: bare.toLowerCase() }];
    const host = /^https?:\/\/([a-z0-9.-]+\.[a-z0-9-]+)(?:[:/]|$)/i.exec(sample ?? "")?.[1];
    return sample === null || host === undefined ? [] : [{ text: sample, host: host.toLowerCase() }];
  });
}

function otherHosts({ text, host }: WrittenUrl): readonly string[] {
  const origin = text.replace(/(?<=[a-z0-9])\/.*$/i, "");
  const bare = text === host || text === `.${host}` ? [`https://${host}.evil.example/`] : [];
  return [
    ...bare,
    `${text}.evil.example/`,
    `${origin}@evil.example/`,
    `https://evil.example?.${host}/`,
    `https://evil.example#.${host}/`,
    `https://evil.example/?${text}`,
    `https://evil.example\\.${host}/`,
  ];
}

function otherSpellings({ host }: WrittenUrl): readonly string[] {
  if (ADDRESS.test(host)) {
    const number = host.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    return [`http://${String(number)}/`, `http://0x${number.toString(16)}/`, `http://[::ffff:${host}]/`];
  }
  return [
    `https://${host.toUpperCase()}/`,
    `HTTPS://${host}/`,
    `https://user@${host}/`,
    `http://${host}:80/`,
  ];
}

function within({ written, operator }: AuthoredQuestion, urls: readonly WrittenUrl[]): JsonObject {
  const { ignore_case: _case, ...rest } = written;
  const hosts = [...new Set(urls.map(({ host }) => host))];
  const isPart = operator === "matches" || operator === "contains" || operator === "ends_with";
  const wild = isPart ? hosts.filter((host) => !ADDRESS.test(host)).map((host) => `*.${host}`) : [];
  return { ...rest, operator: "host_within", value: [...hosts, ...wild].map(asRange) };
}

function asRange(host: string): string {
  return ADDRESS.test(host) ? `${host}/32` : host;
}
