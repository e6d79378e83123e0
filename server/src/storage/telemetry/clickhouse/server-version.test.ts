import { expect, test } from 'vitest'
import { findVersionProblem } from './server-version.ts'

test.each(['26.2.1.5', '26.10.3.12', '26.12.1.1', '27.1.2.3'])(
  'ClickHouse %s is used',
  (version) => {
    expect(findVersionProblem(version)).toBeUndefined()
  },
)

test.each(['26.1.9.1', '25.12.4.2', '24.8.1.1'])('ClickHouse %s is refused', (version) => {
  expect(findVersionProblem(version)).toBe(
    `ClickHouse ${version} is too old: 26.2 or newer is required.`,
  )
})

test.each(['undefined', '', '<html>'])('what has the version "%s" is not ClickHouse', (version) => {
  expect(findVersionProblem(version)).toContain('is not ClickHouse')
})
