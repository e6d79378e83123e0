import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Span } from '../../../domain/span.ts'
import type { EncodedSignals } from '../port/ingest.ts'
import { span, start } from '../port/samples.ts'
import { log, measurement } from '../port/signal-samples.ts'
import { toBatch } from './batch-samples.ts'
import { encodeLogsForSqlite, encodeMetricsForSqlite } from './encode-signals.ts'
import { openToWrite } from './telemetry-file.ts'
import { folderOfTest } from './test-store.ts'
import { openWriter, type Writer } from './writer.ts'

function open(): { readonly db: DatabaseSync; readonly writer: Writer } {
  const db = openToWrite(join(folderOfTest(), 'telemetry.sqlite'))
  onTestFinished(() => db.close())
  return { db, writer: openWriter(db) }
}

function record(writer: Writer, ...spans: readonly Span[]): void {
  const [written] = writer.store([toBatch(spans)], start)
  expect(written?.outcome).toMatchObject({ repeated: false })
}

const readValues = (db: DatabaseSync, sql: string) =>
  db
    .prepare(sql)
    .all()
    .flatMap((row) => Object.values(row))

const names = (db: DatabaseSync) =>
  readValues(db, 'SELECT value FROM facet_values WHERE key = 4 ORDER BY value')

function deleteAll(writer: Writer, limit: number): void {
  while (writer.unusedRows.deleteSome(limit)) {
    // Until all rows have been checked.
  }
}

test('a facet value is deleted once no trace is indexed under it, and can be stored again', () => {
  const { db, writer } = open()
  record(writer, span('a', { name: 'old' }), span('b', { traceId: 'other', name: 'used' }))
  record(writer, span('a', { name: 'new' }))
  expect(names(db)).toEqual(['new', 'old', 'used'])
  deleteAll(writer, 1)
  expect(names(db)).toEqual(['new', 'used'])

  record(writer, span('a', { name: 'old' }), span('c', { traceId: 'third', name: 'third' }))
  deleteAll(writer, 100)
  expect(names(db)).toEqual(['old', 'third', 'used'])
  const unknown = `
    SELECT facet_no FROM facet_traces WHERE facet_no NOT IN (SELECT facet_no FROM facet_values)`
  expect(readValues(db, unknown)).toEqual([])
})

test('resources and scopes are deleted once no log record and no series has them', () => {
  const { db, writer } = open()
  const ofLogs = { service: 'of logs', resource: '{"attributes":{"a":1}}' as JsonText }
  const ofMetrics = { service: 'of metrics', resource: '{"attributes":{"a":2}}' as JsonText }
  const recordSignal = (signal: 'logs' | 'metrics', { parts }: EncodedSignals) =>
    writer.store([toBatch([], { signal, parts })], start)
  recordSignal('logs', encodeLogsForSqlite([log('text', ofLogs)]))
  recordSignal('metrics', encodeMetricsForSqlite([measurement({}, ofMetrics)]))
  const services = () => readValues(db, 'SELECT service FROM resource_scopes ORDER BY service')
  deleteAll(writer, 1)
  expect(services()).toEqual(['of logs', 'of metrics'])
  db.exec('DELETE FROM logs')
  deleteAll(writer, 1)
  expect(services()).toEqual(['of metrics'])

  recordSignal('logs', encodeLogsForSqlite([log('text', ofLogs)]))
  db.exec('DELETE FROM metric_series')
  deleteAll(writer, 1)
  expect(services()).toEqual(['of logs'])
})
