/** What `benchmarkPolicy` says, said in Rego: the same lists, the same conditions, of which none holds. */
export function benchmarkRego(rules: number): string {
  return [
    "package bench",
    "",
    'default decision := {"decision": "deny", "reason": "not allowed", "args_constrained": false}',
    'decision := {"decision": "allow", "args_constrained": false} if {',
    "  allowed",
    "  not denied",
    "  count(restrictions) == 0",
    "}",
    'allowed if glob.match("payments.*", null, input.tool)',
    'allowed if glob.match("crm.*", null, input.tool)',
    'allowed if glob.match("search.*", null, input.tool)',
    'denied if glob.match("payments.delete*", null, input.tool)',
    'denied if glob.match("admin.*", null, input.tool)',
    ...Array.from({ length: rules }, (_, at) => restriction(at)),
    "",
  ].join("\n");
}

function restriction(at: number): string {
  return `restrictions contains "rule-${at}" if { input.tool == "payments.refund"; ${condition(at)} }`;
}

function condition(at: number): string {
  const conditions = [
    `input.args.amount > ${10_000 + at}`,
    `input.args.currency in ["X${at}", "Y${at}", "Z${at}"]`,
    `startswith(input.args.customer.id, "blocked-${at}-")`,
    `contains(input.args.note, "forbidden ${at}")`,
    `input.args.customer.country == "country-${at}"`,
  ];
  return conditions[at % conditions.length] ?? "false";
}
