import { wordList } from "@svc/engine/word-list";
import type { FindingCheck } from "../finding.ts";
import { suspectQuestion, textsOf, withText } from "../suspect-question.ts";

/** Domains below which anybody can have a name: some of the top, and those of well-known hosters. */
const OPEN_DOMAINS: ReadonlySet<string> = new Set(
  wordList(
    "com net org info biz io dev app ai cloud xyz online site github.io gitlab.io vercel.app " +
      "netlify.app pages.dev workers.dev herokuapp.com web.app firebaseapp.com onrender.com fly.dev " +
      "appspot.com run.app azurewebsites.net blob.core.windows.net cloudfront.net amazonaws.com " +
      "s3.amazonaws.com ngrok.io ngrok.app ngrok-free.app trycloudflare.com",
  ),
);

/** The domains of countries, and what stands below them in place of `com`. */
const COUNTRY = /^(?:(?:co|com|net|or|org)\.)?[a-z]{2}$/;

/** Ranges larger than any network of one owner. */
const ANY_ADDRESS = /^(?:[0-9.]+|[0-9a-f:]+)\/[0-7]$/i;

/** `host_within: ["*.com"]` in an allow rule: hosts of anybody. */
export const hostsOfAnyone: FindingCheck = {
  code: "policy/hosts-of-anyone",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      if (authored.role !== "lets" || authored.operator !== "host_within") continue;
      for (const written of textsOf(authored)) {
        const domain = /^\*\.(.+)$/.exec(written.text)?.[1]?.toLowerCase() ?? "";
        const isDomain = OPEN_DOMAINS.has(domain) || COUNTRY.test(domain);
        if (!isDomain && !ANY_ADDRESS.test(written.text)) continue;
        const own = isDomain ? `*.example.${domain}` : "192.0.2.0/24";
        yield suspectQuestion(context, authored, {
          place: written.place,
          instead: withText(authored, written, own),
          shows: "passes",
          values: isDomain
            ? [`https://evil.${domain}/`, `http://evil.${domain}/`]
            : ["http://169.254.169.254/", "https://169.254.169.254/", "http://[2001:db8::1]/"],
          words: {
            message: isDomain
              ? `anybody can have a host below ${domain}, so ${written.text} lets a call go to anyone`
              : `${written.text} is nearly every address, with those of the cloud and of private networks`,
            expected: "hosts that belong to somebody you trust",
            found: written.text,
            fix: isDomain
              ? `name your part of it, such as "${own}"`
              : "name the networks that calls may go to, such as 203.0.113.0/24",
          },
        });
      }
    }
  },
};
