const CLOCK = "Use `input.time`, the time of the call: time.parse_rfc3339_ns(input.time).";
const RANDOM = "A policy must decide the same call in the same way: derive the value from `input`.";
const NETWORK = "A policy reads nothing while it decides: put what it needs into `data` of the policy.";
const PRINT = "Remove the call: `svc-cli explain` shows the messages of the module.";

/** Built-in functions of OPA that a module may not call, and what to use instead. */
export const FORBIDDEN_BUILTINS: ReadonlyMap<string, string> = new Map([
  ["crypto.x509.parse_and_verify_certificates", "It reads the clock: use crypto.x509.parse_certificates."],
  [
    "crypto.x509.parse_and_verify_certificates_with_options",
    "It reads the clock: use crypto.x509.parse_certificates.",
  ],
  ["http.send", NETWORK],
  ["internal.print", PRINT],
  ["internal.test_case", "Remove the call: it is of OPA's own tests."],
  ["io.jwt.encode_sign", "A policy signs nothing: verify a token with io.jwt.decode_verify."],
  ["io.jwt.encode_sign_raw", "A policy signs nothing: verify a token with io.jwt.decode_verify."],
  ["net.lookup_ip_addr", NETWORK],
  ["opa.runtime", "A policy sees nothing of the process: put what it needs into `data` of the policy."],
  ["print", PRINT],
  ["rand.intn", RANDOM],
  ["time.now_ns", CLOCK],
  ["trace", PRINT],
  ["uuid.rfc4122", RANDOM],
]);
