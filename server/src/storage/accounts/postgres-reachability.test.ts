import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { Unavailable } from '../../platform/failure.ts'
import { openLog } from '../../platform/log.ts'
import { openReachability } from './postgres-reachability.ts'

function databaseError(code: string): DatabaseError {
  return Object.assign(new DatabaseError(`state ${code}`, 0, 'error'), { code })
}

test('each change of the state of PostgreSQL is one line, with the reason', () => {
  const lines: unknown[] = []
  const log = openLog('warn', (line) => {
    const { message, server, error } = JSON.parse(line)
    lines.push([message, server, error])
  })
  const reachability = openReachability('db:5432/assay', log)
  const fail = (cause: Error) => reachability.onNotConnected(new Unavailable('Away.', 1, { cause }))

  reachability.onResponse()
  for (const code of ['53300', '53300']) fail(databaseError(code))
  expect(lines).toEqual([])

  for (let n = 0; n < 3; n += 1) fail(new Error('connect ECONNREFUSED'))
  for (const code of ['57P03', '53300', '28P01', '28000']) fail(databaseError(code))
  for (let n = 0; n < 3; n += 1) reachability.onResponse()
  expect(lines).toEqual([
    ['PostgreSQL cannot be reached', 'db:5432/assay', 'Away: connect ECONNREFUSED'],
    ['PostgreSQL refuses the service', 'db:5432/assay', 'Away: state 28P01'],
    ['PostgreSQL can be reached again', 'db:5432/assay', undefined],
  ])
})
