import { expect, it } from "vitest";
import { refuseUndecodable } from "./refuse-undecodable.ts";

// proves AUD-92
it.each(["q=%ff", "q=a%C3&limit=1", "limit=1&q=%ED%A0%80", "%ff=1", "q=%C0%80"])("refuses %s", (query) => {
  expect(refuseUndecodable(query)).toMatchObject({ code: "invalid_request" });
});

it("names the parameter and the bytes", () => {
  const { detail } = refuseUndecodable("limit=1&q=refund%ff") ?? {};
  expect(detail).toBe('q: expected percent-encoded UTF-8, such as %C3%BC for \u00FC, found "%ff"');
});

it.each(["", "q=%C3%BC", "q=100%", "q=%F0%9F%98%80%00", "q=a+b", "q=%EF%BF%BD", "q=%zz"])(
  "reads %j",
  (query) => {
    expect(refuseUndecodable(query)).toBeNull();
  },
);
