import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { jsonBytes } from '../../../test/otlp-request.ts'
import type { OtlpBody } from '../../http/call.ts'
import { type IngestWorkers, openIngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import { Failure, Unavailable } from '../../platform/failure.ts'
import { openLog } from '../../platform/log.ts'
import type { Requester } from '../../platform/requester.ts'
import { encodeInWorker, encodeTracesTask } from './encode-in-worker.ts'

const thread = new URL('../../../test/ingest-worker-thread.ts', import.meta.url)
const traceId = '0af7651916cd43dd8448eb211c80319c'

let logged: string[] = []
const opened: IngestWorkers[] = []

function open(threadCount = 1, deadlineMs = 60_000): IngestWorkers {
  logged = []
  const log = openLog('debug', (line) => logged.push(line))
  const ingestWorkers = openIngestWorkers({
    engine: 'sqlite',
    log,
    thread,
    threadCount,
    deadlineMs,
  })
  opened.push(ingestWorkers)
  return ingestWorkers
}

afterEach(async () => {
  for (const ingestWorkers of opened.splice(0)) await ingestWorkers.close()
})

function toBody(...names: string[]): OtlpBody {
  const spans = names.map((name, at) => ({
    traceId,
    spanId: (at + 1).toString(16).padStart(16, '0'),
    name,
    startTimeUnixNano: '1795170484075000000',
  }))
  const bytes = jsonBytes({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  return { bytes, encoding: 'json', compression: 'identity' }
}

function gzipped({ bytes, encoding }: OtlpBody): OtlpBody {
  return { bytes: Uint8Array.from(gzipSync(bytes)), encoding, compression: 'gzip' }
}

const acme: Requester = ['acme', 'acme project']

function take(ingestWorkers: IngestWorkers, body: OtlpBody, requester = acme) {
  return encodeInWorker(ingestWorkers, encodeTracesTask, { body, priceRules: '' }, requester)
}

const isUnavailable = (reason: unknown) => reason instanceof Unavailable

async function namesIn(ingestWorkers: IngestWorkers, body: OtlpBody): Promise<string> {
  const { encoded } = await take(ingestWorkers, body)
  return Buffer.from(encoded.parts[0] ?? []).toString()
}

describe('an ingest worker', () => {
  test('returns the rows of a body, and the report on the rest', async () => {
    const response = await take(open(), gzipped(toBody('one', 'two')))
    expect(response).toMatchObject({ rejected: 0, errorMessage: '' })
    expect(response.encoded).toEqual({
      traceIds: [traceId, traceId],
      spanCount: 2,
      sizeBytes: 7,
      parts: [Uint8Array.from(Buffer.from('one,two')), new Uint8Array()],
    })
  })

  test('transfers the body, but not buffers that are shared', async () => {
    const ingestWorkers = open()
    const body = toBody('one')
    await take(ingestWorkers, body)
    expect(body.bytes.buffer.detached).toBe(true)
    const shared = new Uint8Array(1000)
    const { bytes } = toBody('two')
    shared.set(bytes, 10)
    const window = shared.subarray(10, 10 + bytes.length)
    const names = await namesIn(ingestWorkers, { ...toBody(), bytes: window })
    expect([names, shared.buffer.detached]).toEqual(['two', false])
  })

  test('returns its own result to each of many callers', async () => {
    const ingestWorkers = open(2)
    const names = Array.from({ length: 50 }, (_, at) => `span ${at}`)
    const responses = await Promise.all(names.map((name) => namesIn(ingestWorkers, toBody(name))))
    expect(responses).toEqual(names)
  })

  test('refuses a malformed body with the error of the contract', async () => {
    const bytes = new TextEncoder().encode('[]')
    const refused = take(open(), {
      bytes,
      encoding: 'json',
      compression: 'identity',
    })
    await expect(refused).rejects.toThrow(Failure)
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
  })

  test('refuses twenty concurrent bombs with a false size, one after the other', async () => {
    const ingestWorkers = open()
    const bomb = gzipped({ ...toBody(), bytes: new Uint8Array(2 ** 26) })
    bomb.bytes.fill(0, -4)
    const bombs = Array.from({ length: 20 }, () => ({ ...bomb, bytes: bomb.bytes.slice() }))
    const outcomes = await Promise.allSettled(bombs.map((body) => take(ingestWorkers, body)))
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : ''))
    expect(new Set(reasons)).toEqual(new Set(['Failure: OTLP payload is too large.']))
  })

  test.each([
    ['beyond the share of a project', ['a 1', 'a 1'], 'a 1'],
    ['beyond the share of an organization', ['a 1', 'a 1', 'a 2', 'a 2'], 'a 3'],
    ['beyond what all may use', ['a 1', 'a 1', 'a 2', 'a 2', 'b 1', 'b 1', 'c 1'], 'd 1'],
  ])('refuses work %s for a while', async (_, waiting, refused) => {
    const ingestWorkers = open()
    // Some KiB each: what counts is that they inflate to 32 MiB.
    const { bytes, ...body } = gzipped({ ...toBody(), bytes: new Uint8Array(2 ** 25) })
    const large = (project: string) =>
      take(ingestWorkers, { ...body, bytes: bytes.slice() }, [project.slice(0, 1), project])
    const outcomes = await Promise.allSettled([...waiting, refused].map(large))
    const isRefused = outcomes.map((one) => one.status === 'rejected' && isUnavailable(one.reason))
    expect(isRefused).toEqual([...waiting.map(() => false), true])
    expect(await namesIn(ingestWorkers, toBody('after'))).toBe('after')
  })

  test('takes the bodies of organizations in turn, however many projects they have', async () => {
    const ingestWorkers = open()
    const finished: string[] = []
    const send = async (...requester: Requester) => {
      await take(ingestWorkers, toBody('one'), requester)
      finished.push(requester[0])
    }
    const busy = Array.from({ length: 20 }, (_, at) => send('busy', `project ${at}`))
    await Promise.all([...busy, send('quiet', 'only project')])
    expect(finished.indexOf('quiet')).toBeLessThan(5)
  })

  test('takes no large body of an organization before one of another that has arrived', async () => {
    const ingestWorkers = open()
    const finished: string[] = []
    const large = Array.from({ length: 12_000 }, (_, at) => `span ${at}`)
    const send = async (organizationId: string, ...names: string[]) => {
      await take(ingestWorkers, toBody(...names), [organizationId, `${organizationId} project`])
      finished.push(organizationId)
    }
    // The first item of an organization counts as a short one, whatever it was.
    await send('quiet', 'one')
    const busy = Array.from({ length: 5 }, () => send('busy', ...large))
    await Promise.all([...busy, send('quiet', 'one')])
    expect(finished).toEqual(['quiet', 'busy', 'quiet', 'busy', 'busy', 'busy', 'busy'])
  })

  test('takes the bodies of the projects of one organization in turn', async () => {
    const ingestWorkers = open()
    const finished: string[] = []
    const send = async (projectId: string) => {
      await take(ingestWorkers, toBody('one'), ['acme', projectId])
      finished.push(projectId)
    }
    await Promise.all([...Array.from({ length: 20 }, () => send('busy')), send('quiet')])
    expect(finished.indexOf('quiet')).toBeLessThan(5)
  })

  test('takes more bodies of an organization whose bodies cost less', async () => {
    const ingestWorkers = open()
    const large = Array.from({ length: 5000 }, (_, at) => `span ${at}`)
    const finished: string[] = []
    const send = async (organizationId: string, names: readonly string[]) => {
      await take(ingestWorkers, toBody(...names), [organizationId, `${organizationId} project`])
      finished.push(organizationId)
    }
    const bodies = Array.from({ length: 20 }, () => [send('costly', large), send('cheap', ['one'])])
    await Promise.all(bodies.flat())
    const lastCheap = finished.lastIndexOf('cheap')
    expect(finished.slice(0, lastCheap).filter((one) => one === 'costly').length).toBeLessThan(10)
  })
})

describe('a worker thread that fails', () => {
  test('on one body processes the next', async () => {
    const ingestWorkers = open()
    await expect(take(ingestWorkers, toBody('throw'))).rejects.toThrow('a defect of the work')
    expect(await namesIn(ingestWorkers, toBody('after'))).toBe('after')
  })

  test('and exits rejects its work, which can be resent, and is replaced', async () => {
    const ingestWorkers = open()
    const outcomes = await Promise.allSettled([
      take(ingestWorkers, toBody('die')),
      take(ingestWorkers, toBody('behind')),
    ])
    const lost = { status: 'rejected', reason: expect.any(Unavailable) }
    expect(outcomes).toEqual([lost, lost])
    expect(await namesIn(ingestWorkers, toBody('after'))).toBe('after')
  })

  test('to finish in time is replaced, and the sender may try again later', async () => {
    // Also for the start of the next thread, which takes a second on a busy machine.
    const ingestWorkers = open(1, 4000)
    const slow = await take(ingestWorkers, toBody('hang')).catch((error: unknown) => error)
    expect(slow).toBeInstanceOf(Unavailable)
    expect(slow).toMatchObject({ message: 'The body took too long to decode.' })
    expect(await namesIn(ingestWorkers, toBody('after'))).toBe('after')
  })

  test('to start rejects the body, and is started again for the next', async () => {
    const log = openLog('debug', (line) => logged.push(line))
    const missing = new URL('./no-such-thread.ts', import.meta.url)
    const ingestWorkers = openIngestWorkers({ engine: 'sqlite', log, thread: missing })
    opened.push(ingestWorkers)
    await expect(take(ingestWorkers, toBody('one'))).rejects.toThrow(Unavailable)
    await expect(take(ingestWorkers, toBody('two'))).rejects.toThrow(Unavailable)
    expect(logged.join()).toContain('the ingest worker failed')
  })
})

test('closing waits for work in progress', async () => {
  const ingestWorkers = open()
  const waiting = [take(ingestWorkers, toBody('one')), take(ingestWorkers, toBody('two'))]
  await ingestWorkers.close()
  const settled = await Promise.all(waiting)
  expect(settled.map(({ encoded }) => encoded.spanCount)).toEqual([1, 1])
})
