-- Posts the lines of a file in turn, and sums up as one line of JSON.
local requests = {}
local nextRequest = 0

function init(args)
  for body in io.lines(args[1]) do
    local headers = { ["Content-Type"] = "application/json" }
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
  end
end

function request()
  nextRequest = nextRequest % #requests + 1
  return requests[nextRequest]
end

function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format(
    '{"requests":%d,"duration_us":%d,"failures":%d,"p50_us":%d,"p99_us":%d}',
    summary.requests, summary.duration, failures, latency:percentile(50), latency:percentile(99)))
end
