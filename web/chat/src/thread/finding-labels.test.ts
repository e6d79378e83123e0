import type { ChatFinding } from '@assay/contract/chat-scan.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatFinding, replaceFindings } from './finding-labels.ts'

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

  test('keeps its text where findings are in an attachment', () => {
    expect(replaceFindings('hello', [finding(0, 5, { attachment_id: 'a' })])).toBe('hello')
  })

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

test('a finding is named in words', () => {
  expect(formatFinding(finding(0, 1))).toBe('Credential: GitHub token')
  expect(formatFinding(finding(0, 1, { category: 'government_id', type: 'us_ssn' }))).toBe(
    'Government identifier: US SSN',
  )
})
