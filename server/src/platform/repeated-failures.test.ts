import { expect, test } from 'vitest'
import { Unavailable } from './failure.ts'
import { openLog } from './log.ts'
import { openRepeatedFailures } from './repeated-failures.ts'

test('repeated failures are logged once while a database is unavailable, and all others each time', () => {
  const lines: string[] = []
  const log = openLog('error', (line) => lines.push(JSON.parse(line).error.split('\n')[0]))
  const failures = openRepeatedFailures(log, 'failed')
  const away = new Unavailable('away', 1)
  const defect = new Error('defect')
  for (const error of [away, away, away, defect, defect, away]) failures.onFailure(error)
  expect(lines).toEqual(['away', 'Error: defect', 'Error: defect', 'away'])
  failures.onSuccess()
  failures.onFailure(away)
  expect(lines.slice(4)).toEqual(['away'])
})
