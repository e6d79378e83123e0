import type { LogRecord } from '@assay/contract/logs.ts'
import { describe, expect, test } from 'vitest'
import { bodyText, severityOf } from './log-severity.ts'

const record = (changes: Partial<LogRecord>): LogRecord => ({
  log_id: '1',
  at: '2026-11-20T10:00:00Z',
  observed_at: null,
  severity: 0,
  severity_text: null,
  event_name: null,
  trace_id: null,
  span_id: null,
  service: null,
  body: null,
  attributes: {},
  resource: {},
  scope: {},
  ...changes,
})

describe('a log record', () => {
  test.each([
    [0, null, 'quiet', 'unspecified'],
    [1, null, 'quiet', 'trace'],
    [8, null, 'quiet', 'debug'],
    [9, '', 'info', 'info'],
    [13, 'WARNING', 'warn', 'warning'],
    [17, null, 'bad', 'error'],
    [24, null, 'bad', 'fatal'],
  ])('severity %i with text %j is %s and reads %s', (severity, severity_text, level, word) => {
    expect(severityOf(record({ severity, severity_text }))).toEqual({ level, word })
  })

  test.each([
    ['a string', 'retry', 'retry'],
    ['a small value', { a: 1 }, '{"a":1}'],
    ['a large value', { a: 'x'.repeat(200) }, undefined],
    ['nothing', null, undefined],
  ])('the body as text: %s', (_name, body, expected) => {
    expect(bodyText(record({ body }))).toBe(expected)
  })
})
