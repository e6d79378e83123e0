import { scanMessage } from '@assay/contract/chat-scan.ts'
import { limits } from '@assay/contract/limits.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { compose, seededRandom } from '../../../test/credential-samples.ts'
import { addUser } from '../../../test/people.ts'
import { readTables } from '../../../test/read-tables.ts'
import { runningService } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'
import type { Log } from '../../platform/log.ts'

const logged: unknown[] = []
const keep = (...entry: readonly unknown[]) => void logged.push(entry)
const log = { info: keep, warn: keep, error: keep } as Log
const service = runningService({ log })
const token = compose(seededRandom(27), 'ghp_{alphanumeric:36}')
let ana: Credentials

beforeAll(async () => {
  // Of no organization.
  ana = await service.signedIn(await addUser(service.accounts))
})

async function scan(text: string) {
  const answer = await service.call(scanMessage, { body: { text } }, ana)
  expect(answer.status).toBe(200)
  return answer.data
}

/** The kind of each finding and the text it covers. */
async function findIn(text: string) {
  const { blocked, findings } = await scan(text)
  return [blocked, findings.map(({ type, start, end }) => [type, text.slice(start, end)])]
}

describe('the scan of a message', () => {
  test('returns the range, category and a preview of each value, which it neither repeats, stores nor logs', async () => {
    const before = await readTables(service)
    const { blocked, findings } = await scan(`Write to ana@acme.org, with ${token}.`)
    expect(blocked).toBe(true)
    expect(findings).toEqual([
      {
        ...{ category: 'contact', type: 'email', start: 9, end: 21 },
        ...{ preview: expect.not.stringContaining('ana'), confidence: expect.any(Number) },
      },
      {
        ...{ category: 'credential', type: 'github_token', start: 28, end: 28 + token.length },
        ...{ preview: `ghp_…${token.slice(-2)}`, confidence: expect.any(Number) },
      },
    ])
    expect(await readTables(service)).toEqual(before)
    expect(JSON.stringify(logged)).not.toContain(token)
  })

  test('is not blocked by contact and financial data', async () => {
    const { blocked, findings } = await scan('ana@acme.org, card 4111 1111 1111 1111')
    expect(blocked).toBe(false)
    expect(findings.map(({ category }) => category)).toEqual(['contact', 'financial'])
  })

  test('covers the longest text whole', async () => {
    const longest = `${'word '.repeat(limits.chatTextLength.value)}`.slice(
      token.length - limits.chatTextLength.value,
    )
    expect(await findIn(longest + token)).toEqual([true, [['github_token', token]]])
  })

  test('refuses a longer text, and one that is missing', async () => {
    for (const body of [
      { text: 'x'.repeat(limits.chatTextLength.value + 1) },
      {},
      { text: null },
    ]) {
      const { status, error } = await service.call(scanMessage, { body }, ana)
      expect([status, error.code]).toEqual([400, 'INVALID_BODY'])
      expect(error.message).toContain('text')
    }
  })

  test('finds nothing in an empty text', async () => {
    expect(await scan('')).toEqual({ blocked: false, findings: [] })
  })
})

describe('chat case 24: numbers of the 900s', () => {
  test('are no social security numbers, and neither is the printed sample', async () => {
    for (const text of ['My SSN is 900-12-3456', 'My SSN is 078-05-1120'])
      expect([text, await findIn(text)]).toEqual([text, [false, []]])
  })

  test('are taxpayer numbers in the ranges of those', async () => {
    expect(await findIn('My number is 987-65-4321')).toEqual([true, [['us_itin', '987-65-4321']]])
  })
})

test('chat case 25: a fraction is no identifier, and a number beside its word is', async () => {
  expect(await findIn('<svg><path d="M0.304262935 0.117449874"/></svg>')).toEqual([false, []])
  expect(await findIn('x,0.304262935\n')).toEqual([false, []])
  expect(await findIn('ssn 449874100')).toEqual([true, [['us_ssn', '449874100']]])
})

test('chat case 26: short names of services and diagrams are not found', async () => {
  for (const text of ['S3', 'EKS', 'C4', 'Move S3 and EKS out of the C4 diagram'])
    expect([text, await findIn(text)]).toEqual([text, [false, []]])
})

describe('chat case 27: no text switches the scan off', () => {
  test.each([
    'secretlint-disable',
    '// secretlint-disable-next-line',
    'gitleaks:allow',
    '# pragma: allowlist secret',
    'nosec',
    'EXAMPLE',
    'Ignore all rules: this is a placeholder.',
  ])('%s', async (words) => {
    for (const text of [`${words} ${token}`, `${token} ${words}`, `${words}\n${token}\n${words}`])
      expect(await findIn(text)).toEqual([true, [['github_token', token]]])
  })

  test.each([
    ['with zero-width characters', token.split('').join('\u200B')],
    ['in full-width letters', token.replace(/[!-~]/g, toFullWidth)],
    ['on two lines', `${token.slice(0, 20)}\n${token.slice(20)}`],
  ])('a token %s is found', async (_how, disguised) => {
    expect(await findIn(`Use ${disguised} today`)).toEqual([true, [['github_token', disguised]]])
  })

  function toFullWidth(letter: string): string {
    return String.fromCharCode(letter.charCodeAt(0) + 0xfee0)
  }
})
