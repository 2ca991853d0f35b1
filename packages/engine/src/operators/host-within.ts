import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { anyPartHolds } from "../evaluate/any-part-holds.ts";
import { HOST_PATTERN } from "../evaluate/host-grammar.ts";
import { type HostBounds, hostWithin, isHostName, WEB_SCHEMES } from "../evaluate/host-within.ts";
import { isAddressLike, parseCidr } from "../evaluate/ip-address.ts";
import { HOST_WEIGHT, READING_START_LENGTH, type TextWork } from "../evaluate/text-work.ts";
import { agreed, type Truth } from "../evaluate/truth.ts";
import { urlsWithin } from "../evaluate/urls-within.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectName, expectText, refuse } from "../validate/expect.ts";
import { expectOneOrMore, oneOrMoreSchema } from "../validate/expect-value.ts";
import { namesSchema } from "../validate/explain-name.ts";
import { expectInteger, integerSchema } from "../validate/numbers.ts";
import { onlyValue } from "./comparable-values.ts";
import { defineOperator, type Judge, type OperandSource } from "./operator.ts";

interface HostOperand {
  /** As written. */
  readonly entries: readonly string[];
  readonly bounds: HostBounds;
}

const MAX_PORT = 65_535;

/** Schemes whose URLs name no host, or not where others name it. */
const HOSTLESS = ["file", "data", "javascript", "blob", "about", "mailto", "jar", "view-source"];

const OPTIONAL = { kind: "demand on the scheme", names: ["optional"], synonyms: new Map() } as const;

const SCHEME = /^[a-z][a-z0-9+.-]*$/;
const SCHEME_SCHEMA: JsonObject = { type: "string", pattern: SCHEME.source, not: { enum: HOSTLESS } };

/** A URL whose host is one of those named, or lies in one of the networks. */
export const hostWithinOperator = defineOperator<HostOperand>({
  name: "host_within",
  judges: ["args", "anywhere"],
  summary: "is a URL with one of the hosts",
  keys: {
    schemes: oneOrMoreSchema(SCHEME_SCHEMA),
    ports: oneOrMoreSchema(integerSchema(1, MAX_PORT)),
    scheme: namesSchema(OPTIONAL),
  },
  validate: validateHosts,
  valueSchema: () => oneOrMoreSchema({ type: "string", pattern: HOST_PATTERN }),
  compile: ({ bounds, entries }, { isAnywhere }): Judge => {
    const weight = HOST_WEIGHT + entries.length;
    // Any word may be a host without a scheme.
    if (isAnywhere && bounds.isSchemeOptional) return () => "unsure";
    if (isAnywhere) return (value, work) => judgeAnywhere(value, { bounds, weight, work });
    return (value, work) => {
      if (typeof value !== "string") return "unsure";
      return work.spend(value.length + READING_START_LENGTH, weight) ? hostWithin(value, bounds) : "unread";
    };
  },
  show: ({ entries, bounds: { schemes, ports, isSchemeOptional } }) => {
    if (schemes === null && ports === null && !isSchemeOptional) return entries;
    return {
      value: entries,
      ...(schemes === null ? {} : { schemes }),
      ...(ports === null ? {} : { ports }),
      ...(isSchemeOptional ? { scheme: "optional" } : {}),
    };
  },
  comparable: onlyValue,
});

interface Search {
  readonly bounds: HostBounds;
  readonly weight: number;
  readonly work: TextWork;
}

/**
 * Makes no claim when some URLs are within and others outside. A URL may be split
 * over the members of a list.
 */
function judgeAnywhere(value: JsonValue, { bounds, weight, work }: Search): Truth {
  let all: Truth | null = null;
  const add = (truth: Truth | null): void => {
    if (truth !== null) all = all === null ? truth : agreed(all, truth);
  };
  const judge = (text: string): Truth | null =>
    work.spend(text.length + READING_START_LENGTH, weight) ? urlsWithin(text, bounds) : "unread";
  const visited = anyPartHolds(
    value,
    {
      text: (text) => {
        add(judge(text));
        return "fails";
      },
      other: () => "fails",
      list: (items) => {
        const texts = items.filter((item) => typeof item === "string");
        if (texts.length > 1 && texts.every((text) => judge(text) === null)) {
          const joined = judge(texts.join(""));
          add(joined === "holds" ? "unsure" : joined);
        }
        return "fails";
      },
    },
    work,
  );
  if (visited === "unread") return visited;
  return all ?? "fails";
}

function validateHosts({ value, members }: OperandSource, reporter: Reporter): HostOperand | null {
  const entries = expectOneOrMore(value, (item) => expectHost(item, reporter), reporter);
  const schemesNode = members.get("schemes");
  const portsNode = members.get("ports");
  const schemes =
    schemesNode === undefined
      ? []
      : expectOneOrMore(schemesNode, (item) => expectScheme(item, reporter), reporter);
  const ports =
    portsNode === undefined
      ? []
      : expectOneOrMore(
          portsNode,
          (item) => expectInteger(item, { min: 1, max: MAX_PORT }, reporter),
          reporter,
        );
  const schemeNode = members.get("scheme");
  const scheme = schemeNode === undefined ? undefined : expectName(schemeNode, OPTIONAL, reporter);
  if (entries === null || schemes === null || ports === null || scheme === null) return null;
  const lower = entries.map((entry) => entry.toLowerCase());
  const names = lower.filter((entry) => !entry.includes("/"));
  const bounds: HostBounds = {
    hosts: names.filter((entry) => !entry.startsWith("*.")),
    suffixes: names.filter((entry) => entry.startsWith("*.")).map((entry) => entry.slice(1)),
    networks: lower.flatMap((entry) => parseCidr(entry) ?? []),
    schemes: schemes.length === 0 ? null : schemes,
    ports: ports.length === 0 ? null : ports,
    isSchemeOptional: scheme !== undefined,
  };
  return { entries, bounds };
}

function expectHost(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a host", reporter);
  if (text === null || parseCidr(text) !== null) return text;
  const name = text.startsWith("*.") ? text.slice(2) : text;
  if (/^[A-Za-z0-9._-]+$/.test(name) && isHostName(name) && !isAddressLike(name)) return text;
  return refuse("policy/invalid-value", node, reporter, {
    message: `${quoteShort(text)} is not a host`,
    expected:
      'a name such as example.com, "*.example.com" for every name below it, or a network such as 10.0.0.0/8',
    fix: fixHost(text),
  });
}

function fixHost(text: string): string {
  const host = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([A-Za-z0-9._-]+)/.exec(text)?.[1];
  if (host !== undefined) return `write ${host}, and the scheme under schemes: [https]`;
  if (/^[0-9.]+$/.test(text)) return `write the address as a network: ${text}/32`;
  if (/^\[?[0-9A-Fa-f:]+\]?$/.test(text) && text.includes("::"))
    return "write the address as a network with /128";
  if (/:[0-9]+$/.test(text)) return "write the port under ports: [8443]";
  if (/[^\p{ASCII}]/u.test(text)) return "write the name in ASCII, as browsers send it: xn--...";
  if (text.startsWith(".")) return `write "*${text}"`;
  return "write the name alone: no path, no port, and a star only as the first label";
}

function expectScheme(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a scheme such as https", reporter);
  if (text === null || (SCHEME.test(text) && !HOSTLESS.includes(text))) return text;
  return refuse("policy/invalid-value", node, reporter, {
    message: `${quoteShort(text)} is not a scheme whose URLs name a host`,
    expected: `a scheme in lower case, such as ${WEB_SCHEMES.join(", ")} or ftp`,
    fix: HOSTLESS.includes(text) ? "use path_within for files" : "write it without :// and in lower case",
  });
}
