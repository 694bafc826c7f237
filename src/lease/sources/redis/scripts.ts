import { MAX_FENCING_TOKEN } from '../../../fence/token.ts';

/*
 * Each step is one Lua script, and so one request that nothing can interrupt. KEYS[1] is the counter, KEYS[2] the grant.
 *
 * Numbers of Lua are doubles, exact up to 2^53, and `tostring` rounds them to 14 digits. So they are compared as
 * numbers, counted by INCR, and answered as the text that GET returns.
 *
 * A script that fails is not rolled back. So whatever can fail comes before the grant is written: the counter first, and a
 * token that nobody was granted is only a gap.
 *
 * Time is the server's, in ms. The clocks of its clients do not matter: beside the end of a grant stands what is left of it.
 */
const prelude = `
local last = redis.call('GET', KEYS[1]) or '0'
local grant = redis.call('HMGET', KEYS[2], 'holder', 'token', 'until', 'data')
local holder, ends = grant[1], tonumber(grant[3] or '0')
if not string.match(last, '^%d+$') then return {'corrupt', last} end
if holder and not (grant[2] and string.match(grant[2], '^%d+$') and ends) then return {'corrupt', grant[2] or grant[3]} end
-- The grant counts too: it tells more where somebody has deleted the counter.
local newest = math.max(tonumber(last), tonumber(holder and grant[2] or '0'))

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function text(number) return string.format('%.0f', number) end

local function left(ending) return text(math.max(0, ending - now)) end

local function issue(above)
  local floor = math.max(newest, tonumber(above))
  if floor >= ${MAX_FENCING_TOKEN} then return nil end
  if floor > tonumber(last) then redis.call('SET', KEYS[1], text(floor)) end
  redis.call('INCR', KEYS[1])
  return redis.call('GET', KEYS[1])
end

local function give(token, to, ttl, data)
  local ending = text(now + ttl)
  redis.call('DEL', KEYS[2])
  redis.call('HSET', KEYS[2], 'holder', to, 'token', token, 'until', ending)
  if data then redis.call('HSET', KEYS[2], 'data', data) end
  return {'granted', token, ending, left(ending), '0'}
end

local function again() return {'granted', grant[2], grant[3], left(ends), '1'} end
`;

/** ARGV: holder, ttl, above, data (or none). */
export const acquireScript = `${prelude}
if holder == ARGV[1] then return again() end
if holder and ends > now then return {'held', grant[2], grant[3], left(ends), holder} end
local token = issue(ARGV[3])
if not token then return {'exhausted'} end
return give(token, ARGV[1], tonumber(ARGV[2]), ARGV[4])
`;

/** ARGV: holder, ttl, above, from, data (or none). */
export const takeOverScript = `${prelude}
local from = tonumber(ARGV[4])
if holder == ARGV[1] then return again() end
if newest > from then return {'fenced', text(newest), holder} end
if newest < from or not holder then return {'lost'} end
local token = issue(ARGV[3])
if not token then return {'exhausted'} end
return give(token, ARGV[1], tonumber(ARGV[2]), ARGV[5])
`;

/** ARGV: holder, ttl, token. */
export const renewScript = `${prelude}
local token = tonumber(ARGV[3])
if newest > token then return {'fenced', text(newest), holder} end
if newest < token or holder ~= ARGV[1] then return {'lost'} end
local ending = text(math.max(ends, now + tonumber(ARGV[2])))
redis.call('HSET', KEYS[2], 'until', ending)
return {'renewed', ending, left(ending)}
`;

/** ARGV: holder, the channel, token (or none). */
export const releaseScript = `${prelude}
if holder == ARGV[1] and (not ARGV[3] or grant[2] == ARGV[3]) then
  redis.call('DEL', KEYS[2])
  redis.call('PUBLISH', ARGV[2], ARGV[1])
end
return {'released'}
`;

/** ARGV: above, the channel. */
export const raiseScript = `${prelude}
local token = issue(ARGV[1])
if not token then return {'exhausted'} end
redis.call('DEL', KEYS[2])
redis.call('PUBLISH', ARGV[2], '')
return {'raised', token}
`;

/** What is stored, and whether somebody holds it. */
export const inspectScript = `${prelude}
if newest == 0 and not holder then return {'none'} end
return {holder and ends > now and 'held' or 'free', text(newest), holder, grant[3], grant[4]}
`;
