import { expect, test } from 'vitest'
import { withoutData } from './error-without-data.ts'

test('an error keeps its kind and the place where it failed, without its message and cause', () => {
  const data = 'the key is sk-secret\n    at nowhere (file:sk-secret)'
  const failed = withoutData(new TypeError(data, { cause: new Error(data) }))
  expect(failed.message).toMatch(/^TypeError /)
  expect(failed.stack).toMatch(/\n {4}at .*file:\S+:\d+:\d+/)
  expect(`${failed.message}${failed.stack}`).not.toContain('sk-secret')
  expect(failed.cause).toBeUndefined()
})

test('what is thrown and no error has a kind too', () => {
  expect(withoutData('sk-secret').message).toMatch(/^Error /)
})
