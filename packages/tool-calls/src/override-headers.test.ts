import { foldHeaderName } from "@svc/text/fold-header-name";
import { expect, it } from "vitest";
import { isOverrideBehindHook, isOverrideHeader, OVERRIDE_HEADERS } from "./override-headers.ts";

const names = OVERRIDE_HEADERS.map(({ name }) => name);

it("every name stands in the list once and in its folded form", () => {
  expect(new Set(names).size).toBe(names.length);
  expect(names.map(foldHeaderName)).toEqual(names);
});

// proves ADP-06
it.for(names)("%s is an override in every spelling that a server may fold", (name) => {
  const spellings = [
    name,
    name.toUpperCase(),
    name.replaceAll("-", "_"),
    name.replaceAll("-", "."),
    name.replace("-", "_"),
  ];
  expect(spellings.filter((spelling) => !isOverrideHeader(spelling))).toEqual([]);
});

it.for([
  "host",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-request-id",
  "x-svc-tool",
  "destination",
  "x-originalurl",
  "content-type",
])("%s is not an override", (name) => {
  expect(isOverrideHeader(name)).toBe(false);
});

it("behind an auth hook, the headers that hooks set are not overrides when they are spelled exactly", () => {
  const facts = [
    "x-forwarded-method",
    "x-forwarded-prefix",
    "x-forwarded-uri",
    "x-original-method",
    "x-original-uri",
    "x-original-url",
  ];
  const others = names.filter((name) => !isOverrideBehindHook(name));
  expect(others.toSorted()).toEqual(facts);
  expect(isOverrideBehindHook("x_original_uri")).toBe(true);
  expect(isOverrideBehindHook("x.forwarded.uri")).toBe(true);
});
