import { expect, it } from "vitest";
import { nextLink } from "./next-link.ts";

it.each([
  ["/v1/policies", { next_cursor: "abc" }, '</v1/policies?cursor=abc>; rel="next"'],
  ["/v1/policies?limit=2", { next_cursor: "a-_" }, '</v1/policies?limit=2&cursor=a-_>; rel="next"'],
  ["/v1/p?cursor=old&limit=2", { next_cursor: "new" }, '</v1/p?cursor=new&limit=2>; rel="next"'],
  ["/v1/p?q=a%3E%22%0d%0a", { next_cursor: "n" }, '</v1/p?q=a%3E%22%0D%0A&cursor=n>; rel="next"'],
  ['/v1/p/a>"b/versions', { next_cursor: "n" }, '</v1/p/a%3E%22b/versions?cursor=n>; rel="next"'],
  ["/v1/policies", { next_cursor: null }, null],
  ["/v1/policies", { id: "p" }, null],
  ["/v1/policies", null, null],
  ["/v1/policies", "text", null],
])("the list %s with %j has the link %s", (target, body, link) => {
  expect(nextLink(target, body)).toBe(link);
});
