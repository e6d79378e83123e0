import type { ChatFinding } from '@assay/contract/chat-scan.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filesWithFindings, formatFinding, formatPlace, replaceFindings } from './finding-labels.ts'
import type { UploadedAttachment } from './thread-state.ts'

function finding(start: number, end: number, changes: Partial<ChatFinding> = {}): ChatFinding {
  return {
    ...{ category: 'credential', type: 'github_token', start, end, preview: '', confidence: 1 },
    ...changes,
  }
}

describe('a message without what was found', () => {
  test('has a mark in place of each finding that blocks', () => {
    const text = 'key ghp_1 and mail a@b.test'
    const mail = finding(19, 27, { category: 'contact', type: 'email' })
    expect(replaceFindings(text, [mail, finding(4, 9)])).toBe(
      'key [GitHub token removed] and mail a@b.test',
    )
  })

  test.each([{ attachment_id: 'a' }, { source: 'attachment' }, { source: 'history' }] as const)(
    'keeps its text where findings are elsewhere: %o',
    (place) => {
      expect(replaceFindings('hello', [finding(0, 5, place)])).toBe('hello')
    },
  )

  test('has nothing of the values, and all of the rest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[a-z ]*$/), fc.stringMatching(/^[A-Z0-9]+$/))),
        (parts) => {
          let text = ''
          const findings = parts.map(([before, value]) => {
            text += before
            const found = finding(text.length, text.length + value.length)
            text += value
            return found
          })
          expect(replaceFindings(text, findings).replaceAll('[GitHub token removed]', '')).toBe(
            parts.map(([before]) => before).join(''),
          )
        },
      ),
    )
  })
})

describe('the files with findings', () => {
  const file = (name: string, found?: Partial<ChatFinding>) =>
    ({ id: name, name, ...(found && { findings: [finding(0, 5, found)] }) }) as UploadedAttachment
  const [clean, mail, key] = [file('clean'), file('mail', { category: 'contact' }), file('key', {})]
  const sealed = finding(0, 5, { source: 'attachment' })

  test('are those that the service names', () => {
    const found = finding(0, 5, { attachment_id: 'mail' })
    expect(filesWithFindings([clean, mail, key], [found])).toEqual([mail])
    expect(formatPlace(found, [mail])).toBe(', in mail')
    expect(filesWithFindings([clean, mail, key], [finding(0, 5)])).toEqual([])
  })

  test('are those whose upload found what blocks, in an encrypted conversation', () => {
    expect(filesWithFindings([clean, mail, key], [sealed])).toEqual([key])
    expect(formatPlace(sealed, [key])).toBe(', in key')
  })

  test('are all in an encrypted conversation where no upload is known', () => {
    expect(filesWithFindings([clean, file('other')], [sealed])).toHaveLength(2)
    expect(formatPlace(sealed, [clean, file('other')])).toBe(', in a file')
  })
})

test('a finding is named in words', () => {
  expect(formatFinding(finding(0, 1))).toBe('Credential: GitHub token')
  expect(formatFinding(finding(0, 1, { category: 'government_id', type: 'us_ssn' }))).toBe(
    'Government identifier: US SSN',
  )
})
