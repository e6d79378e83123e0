import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectedFiles, recordings, toSpanRows, toTraceRows } from '../../../test/recorded.ts'

/*
 * Recordings of real clients: the stored form of each is in the `.expected.json` beside it. A new recording
 * needs such a file and no code.
 */

interface Expected {
  /** The recorded client and its versions. */
  readonly client: string
  /** For the page of recorded clients, where the scope of the root is another or has no version. */
  readonly instrumentation?: readonly string[]
  /** What the client does not send or sends wrong; the expected values are what it sends. */
  readonly leavesOut?: readonly string[]
  readonly spans: readonly object[]
  readonly traces: readonly object[]
}

describe.each(expectedFiles())('%s', (name) => {
  const { client, spans, traces } = JSON.parse(
    readFileSync(join(recordings, `${name}.expected.json`), 'utf8'),
  ) as Expected

  test(`${client}: each span has its kind, model, tokens, cost, input and output`, () => {
    expect(toSpanRows(name)).toEqual(spans)
  })

  test(`${client}: trace totals count each call once, with session, user and tags`, () => {
    expect(toTraceRows(name)).toEqual(traces)
  })
})
