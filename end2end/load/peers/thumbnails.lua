-- For wrk: asks for one thumbnail after the other, with a session, and prints the figures as one line of JSON.
--   wrk -s thumbnails.lua URL -- IDS_FILE COOKIE
local requests = {}
local last = 0

function init(words)
  for id in io.lines(words[1]) do
    requests[#requests + 1] = wrk.format("GET", "/api/assets/" .. id .. "/thumbnail", { Cookie = words[2] })
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
