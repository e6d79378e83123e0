import { expect, test } from 'vitest'
import { steppedClock } from '../../test/clock-at.ts'
import { Unavailable } from './failure.ts'
import { limitLog, openLog } from './log.ts'

test('an error has its stack and those of its causes, unless a database is unavailable', () => {
  const lines: { readonly error: string }[] = []
  const log = openLog('error', (line) => lines.push(JSON.parse(line)))
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:5432')
  log.error('failed', new Error('a defect', { cause }))
  log.error('failed', new Unavailable('The database cannot be reached.', 1, { cause }))
  expect(lines[0]?.error).toMatch(/^Error: a defect\n +at [^]*\ncaused by Error: connect .*\n +at /)
  expect(lines[1]?.error).toBe(
    'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:5432',
  )
})

test('a message that is repeated too often is skipped, and its next line has the number skipped', () => {
  const lines: unknown[] = []
  const clock = steppedClock(0)
  const log = limitLog(
    openLog('debug', (line) => lines.push(JSON.parse(line))),
    clock,
  )
  for (let n = 0; n < 1000; n += 1) {
    log.warn('refused', { n })
    log.error('failed', new Error('a defect'))
  }
  log.warn('another message')
  expect(lines).toHaveLength(201)
  clock.pass(1000)
  log.warn('refused', { n: 1000 })
  log.warn('refused', { n: 1001 })
  expect(lines).toHaveLength(202)
  expect(lines.at(-1)).toMatchObject({ message: 'refused', n: 1000, skipped: 900 })
})
