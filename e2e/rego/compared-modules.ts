/** Rules of twenty modules that together use most of what policies use. None of them fails on any input. */
export const COMPARED_MODULES: readonly string[] = [
  `deny contains sprintf("%v is too much", [input.args.amount]) if input.args.amount > 100`,
  `deny contains m if { some x in input.args.list; is_string(x); m := concat(":", ["found", x]) }`,
  `require_approval contains m if { some k, v in input.args; is_string(v); startswith(v, "a"); m := k }`,
  `deny contains "no tool" if not startswith(input.tool, "a")
require_approval contains input.tool if endswith(input.tool, "e")`,
  `deny contains m if {
	is_string(input.args.text)
	regex.match(\`^[a-c]+\\d*$\`, input.args.text)
	m := lower(input.args.text)
}`,
  `deny contains m if { c := count(input.args.list); c > 2; m := format_int(c, 10) }`,
  `deny contains m if {
	s := {x | some x in input.args.list; is_number(x)}
	count(s) > 1
	m := sprintf("%v", [sum(s)])
}`,
  `deny contains m if { every x in input.args.list { is_number(x) }; m := json.marshal(input.args.list) }`,
  `allowed := {"read", "list", "alpha"}
deny contains sprintf("%s is not allowed", [input.tool]) if not input.tool in allowed`,
  `hour := time.clock(time.parse_rfc3339_ns(input.time))[0]
require_approval contains sprintf("hour %d", [hour]) if hour < 8`,
  `deny contains m if {
	is_number(input.args.amount)
	r := round(input.args.amount * 1.5)
	m := sprintf("%v", [r])
}`,
  `path := split(object.get(input.args, "path", "/"), "/") if is_string(object.get(input.args, "path", "/"))
deny contains "outside" if path[1] != "srv"
deny contains "climbs" if ".." in path`,
  `deny contains m if { walk(input.args, [p, v]); is_boolean(v); m := sprintf("%v is %v", [p, v]) }`,
  `default limit := 10
limit := 50 if input.agent_id == "alpha"
deny contains sprintf("%v over %v", [input.args.amount, limit]) if {
	is_number(input.args.amount)
	input.args.amount > limit
}`,
  `deny contains m if {
	is_string(input.args.text)
	glob.match("a*.{b,c}", [], input.args.text)
	m := upper(input.args.text)
}`,
  `keys := {k | some k; input.args[k]}
deny contains m if { some k in keys - {"amount", "list", "text", "path", "flag"}; m := k }`,
  `f(x) := "small" if x < 10
else := "middle" if x < 100
else := "large"
require_approval contains f(input.args.amount) if is_number(input.args.amount)`,
  `deny contains m if { is_string(input.args.text); m := base64.encode(crypto.sha256(input.args.text)) }`,
  `deny contains m if {
	some i, x in input.args.list
	some j, y in input.args.list
	i < j
	x == y
	m := sprintf("%d=%d", [i, j])
}`,
  `deny contains m if {
	net.cidr_contains("10.0.0.0/8", "10.1.2.3")
	m := json.marshal(sort(object.keys(input.args)))
}
require_approval contains m if { m := trim(concat("", [input.tool, " "]), " "); contains(m, "l") }`,
];
