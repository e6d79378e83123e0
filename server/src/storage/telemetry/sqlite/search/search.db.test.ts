import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { body, parseSpans, span } from '../../port/samples.ts'
import type { TelemetryStore } from '../../port/store.ts'
import { parseSearchQuery, tokenize } from '../../words.ts'
import { openToRead } from '../database.ts'
import { folderOfTest, openIn, storeOfTest } from '../test-store.ts'
import { openIndexer } from './indexer.ts'
import { openSearch } from './search-database.ts'

const projectId = 'project'

async function indexed(store: TelemetryStore): Promise<void> {
  while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

async function found(store: TelemetryStore, project: string, search: string): Promise<string[]> {
  await indexed(store)
  const { traces } = await store.listTraces(project, { limit: 1000, filters: { search } })
  return traces.map(({ traceId }) => traceId).toSorted()
}

function toContent(words: readonly string[]) {
  return { body: { ...body, input: JSON.stringify(words) as typeof body.input } }
}

/** The expected result of a search, by comparing every span. */
type Known = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, string>>>

function expectedMatches(known: Known, project: string, query: string): string[] {
  const sought = parseSearchQuery(query)
  const has = (text: string) => {
    const words = tokenize(text)
    return sought.every(({ word, isPrefix }) =>
      words.some((each) => (isPrefix ? each.startsWith(word) : each === word)),
    )
  }
  const traces = [...(known.get(project) ?? [])]
  return traces
    .filter(([, spans]) => [...spans.values()].some(has))
    .map(([traceId]) => traceId)
    .toSorted()
}

test('a search agrees with comparing every span, whatever is recorded, replaced, moved and removed', async () => {
  const store = await storeOfTest(folderOfTest())
  const word = fc.constantFrom('apple', 'apples', 'pear', 'Ünï', '天气', '今天天气', 'b2', 'x’y')
  const step = fc.record({
    act: fc.constantFrom('record', 'record', 'record', 'record', 'remove', 'adopt'),
    traceId: fc.constantFrom('t1', 't2', 't3'),
    spans: fc.uniqueArray(
      fc.record({
        spanId: fc.constantFrom('a', 'b', 'c'),
        words: fc.array(word, { maxLength: 4 }),
      }),
      { selector: ({ spanId }) => spanId, minLength: 1 },
    ),
  })
  const queries = ['apple', 'app*', 'pear', 'uni', '天气', '天', '气', 'apple pear', 'y b2', 'none']
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      run += 1
      const [mine, other] = [`mine ${run}`, `other ${run}`]
      const known = new Map(
        [mine, other].map((each) => [each, new Map<string, Map<string, string>>()]),
      )
      const traces = known.get(mine)!
      for (const { act, traceId, spans } of steps) {
        if (act === 'record') {
          const own = spans.map(({ spanId, words }) =>
            span(spanId, { traceId, ...toContent(words) }),
          )
          await store.record({ projectId: mine, source: 'json', spans: store.encode(own) })
          const texts = traces.get(traceId) ?? new Map<string, string>()
          for (const { spanId, words } of spans) texts.set(spanId, words.join(' '))
          traces.set(traceId, texts)
        } else if (act === 'remove') {
          if (await store.removeTrace(mine, traceId)) traces.delete(traceId)
        } else if ((await store.moveTraces(other, mine, [traceId]))[0] === 'adopted') {
          known.get(other)!.set(traceId, traces.get(traceId)!)
          traces.delete(traceId)
        }
      }
      for (const project of [mine, other]) {
        for (const query of queries) {
          expect([query, await found(store, project, query)]).toEqual([
            query,
            expectedMatches(known, project, query),
          ])
        }
      }
    }),
    { numRuns: 25 },
  )
}, 60_000)

test('many small commits end in few segments, and removed spans in none', async () => {
  const folder = folderOfTest()
  const store = await storeOfTest(folder)
  const telemetry = openToRead(join(folder, 'telemetry.sqlite'))
  const search = openSearch(join(folder, 'other.sqlite'))
  const indexer = openIndexer(telemetry, search)
  const count = (table: string) =>
    Number(search.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
  const record = async (traceId: string, words: readonly string[]) => {
    const spans = store.encode([span('a', { traceId, ...toContent(words) })])
    await store.record({ projectId, source: 'json', spans })
    while (indexer.round());
  }
  for (let n = 0; n < 100; n += 1) await record(`t${n % 60}`, ['every', `only${n}`])
  expect(count('segments')).toBeLessThan(20)
  for (let n = 0; n < 59; n += 1) {
    await store.removeTrace(projectId, `t${n}`)
    // Before the store's own index has indexed the change and allows its deletion.
    while (indexer.round());
  }
  await record('last', ['every'])
  expect(await found(store, projectId, 'every')).toEqual(['last', 't59'])
  for (const traceId of ['last', 't59']) {
    await store.removeTrace(projectId, traceId)
    while (indexer.round());
  }
  expect(['indexed_blocks', 'segments', 'pages'].map(count)).toEqual([0, 0, 0])
  search.close()
  telemetry.close()
})

test('a process killed while it indexes leaves an index that catches up and finds everything', {
  timeout: 60_000,
}, async () => {
  const folder = folderOfTest()
  for (const kill of [0, 1]) {
    const script = join(import.meta.dirname, '../record-until-killed.ts')
    const child = spawn(process.execPath, [script, folder, `run${kill}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    let lines = 0
    for await (const _ of createInterface({ input: child.stdout })) {
      lines += 1
      if (lines === 300 + kill * 200) child.kill('SIGKILL')
    }
    expect(await ended).toEqual([null, 'SIGKILL'])
  }
  const store = await storeOfTest(folder)
  const traces = new Map<string, Map<string, string>>()
  for (const { traceId } of (await store.listTraces(projectId, { limit: 100, filters: {} }))
    .traces) {
    const query = { limit: 100_000, bodies: false }
    const spans = parseSpans((await store.readSpansJson(projectId, traceId, query))!)
    traces.set(traceId, new Map(spans.map(({ span_id, name }) => [span_id, name])))
  }
  const known = new Map([[projectId, traces]])
  const names = new Set([...traces.values()].flatMap((spans) => [...spans.values()]))
  expect(names.size).toBeGreaterThan(5)
  for (const query of [...names].slice(-40)) {
    expect(await found(store, projectId, query)).toEqual(expectedMatches(known, projectId, query))
  }
})

test('indexed data can be searched at once after a start', async () => {
  const folder = folderOfTest()
  const first = await openIn(folder)
  const spans = first.encode([span('a', { name: 'before' })])
  await first.record({ projectId, source: 'json', spans })
  await indexed(first)
  await first.close()
  const second = await storeOfTest(folder)
  expect(second.searchLagMs()).toBe(0)
  expect(await found(second, projectId, 'before')).toEqual(['trace'])
})

test.each([
  ['lost', (file: string) => rmSync(file)],
  ['no longer a database', (file: string) => writeFileSync(file, 'broken'.repeat(10_000))],
  ['damaged after its first page', damageAfterFirstPage],
  ['empty', (file: string) => writeFileSync(file, '')],
  ['of another schema', schemaVersion(1)],
  ['of a newer schema', schemaVersion(1000)],
])('an index that is %s is rebuilt', async (_what, damage) => {
  const folder = folderOfTest()
  const first = await openIn(folder)
  await first.record({
    projectId,
    source: 'json',
    spans: first.encode([span('a', { name: 'here' })]),
  })
  expect(await found(first, projectId, 'here')).toEqual(['trace'])
  await first.close()
  damage(join(folder, 'search.sqlite'))
  const second = await storeOfTest(folder)
  expect(await found(second, projectId, 'here')).toEqual(['trace'])
})

test.each(['who stores', 'who searches'])(
  'an index that is damaged under a running store is rebuilt, detected by %s',
  async (finder) => {
    const folder = folderOfTest()
    const file = join(folder, 'search.sqlite')
    const store = await openIn(folder)
    const record = async (traceId: string) => {
      const spans = store.encode([
        span('a', { traceId, ...toContent(['every', ...manyWords(traceId)]) }),
      ])
      await store.record({ projectId, source: 'json', spans })
    }
    for (let n = 0; n < 20; n += 1) await record(`t${n}`)
    await indexed(store)
    const search = new DatabaseSync(file)
    // So that the file is complete, and the write-ahead log does not hide the damage.
    search.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    search.close()
    writeFileSync(file, Buffer.alloc(statSync(file).size, 0x5a))
    if (finder === 'who stores') {
      await record('t20')
      await indexed(store)
    }
    const searchAll = () =>
      store.listTraces(projectId, { limit: 100, filters: { search: 'every' } })
    await vi.waitFor(async () => {
      const { traces } = await searchAll()
      expect(traces.length).toBe(finder === 'who stores' ? 21 : 20)
    }, 20_000)
    await record('last')
    await indexed(store)
    expect((await searchAll()).traces.length).toBe(finder === 'who stores' ? 22 : 21)
    expect(store.damagedFile()).toBeUndefined()
    await store.close()
  },
  30_000,
)

test('an index that is deleted under a running store is rebuilt, and lists work again', async () => {
  const folder = folderOfTest()
  const store = await storeOfTest(folder)
  await store.record({
    ...{ projectId, source: 'json' },
    spans: store.encode([span('a', toContent(['apple']))]),
  })
  await indexed(store)
  // Before the first list, whose thread opens the index.
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(join(folder, `search.sqlite${suffix}`), { force: true })
  }
  await vi.waitFor(async () => expect(await found(store, projectId, 'apple')).toEqual(['trace']), {
    timeout: 15_000,
    interval: 100,
  })
})

test('an index of another telemetry file is rebuilt', async () => {
  const [folder, others] = [folderOfTest(), folderOfTest()]
  for (const [each, name] of [
    [folder, 'here'],
    [others, 'there'],
  ] as const) {
    const store = await openIn(each)
    for (const spanId of each === others ? ['a', 'b', 'c'] : ['a']) {
      await store.record({
        projectId,
        source: 'json',
        spans: store.encode([span(spanId, { name })]),
      })
    }
    await indexed(store)
    await store.close()
  }
  const from = new DatabaseSync(join(others, 'search.sqlite'))
  rmSync(join(folder, 'search.sqlite'))
  from.exec(`VACUUM INTO '${join(folder, 'search.sqlite')}'`)
  from.close()
  const store = await storeOfTest(folder)
  expect(await found(store, projectId, 'here')).toEqual(['trace'])
  expect(await found(store, projectId, 'there')).toEqual([])
})

/** Too many for one page of the file. */
function manyWords(of: string): string[] {
  return Array.from({ length: 3000 }, (_, n) => `${of}x${n}`)
}

function damageAfterFirstPage(file: string): void {
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x5a, 8192))
}

function schemaVersion(version: number): (file: string) => void {
  return (file) => {
    const db = new DatabaseSync(file)
    db.exec(`DROP TABLE indexed_blocks; PRAGMA user_version = ${version}`)
    db.close()
  }
}
