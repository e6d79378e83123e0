import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { jsonBytes } from '../../../test/otlp-request.ts'
import type { OtlpBody } from '../../http/call.ts'
import { type Intake, openIntake } from '../../intake/intake.ts'
import { Failure, Unavailable } from '../../platform/failure.ts'
import { openLog } from '../../platform/log.ts'
import { packRequestWork, takeRequest } from './take-request.ts'

const thread = new URL('../../../test/intake-thread.ts', import.meta.url)
const traceId = '0af7651916cd43dd8448eb211c80319c'

let logged: string[] = []
const opened: Intake[] = []

function open(threadCount = 1): Intake {
  logged = []
  const log = openLog('debug', (line) => logged.push(line))
  const intake = openIntake({ engine: 'sqlite', log, thread, threadCount })
  opened.push(intake)
  return intake
}

afterEach(async () => {
  for (const intake of opened.splice(0)) await intake.close()
})

function bodyOf(...names: string[]): OtlpBody {
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

function take(intake: Intake, body: OtlpBody) {
  return takeRequest(intake, packRequestWork, body, '')
}

async function namesIn(intake: Intake, body: OtlpBody): Promise<string> {
  const { packed } = await take(intake, body)
  return Buffer.from(packed.parts[0] ?? []).toString()
}

describe('the intake', () => {
  test('gives rows of what a body holds, and what is to be told of the rest', async () => {
    const answer = await take(open(), gzipped(bodyOf('one', 'two')))
    expect(answer).toMatchObject({ rejected: 0, errorMessage: '' })
    expect(answer.packed).toEqual({
      traceIds: [traceId, traceId],
      spanCount: 2,
      sizeBytes: 7,
      parts: [Uint8Array.from(Buffer.from('one,two')), new Uint8Array()],
    })
  })

  test('takes the body over and leaves buffers alone that others share', async () => {
    const intake = open()
    const body = bodyOf('one')
    await take(intake, body)
    expect(body.bytes.buffer.detached).toBe(true)
    const shared = new Uint8Array(1000)
    const { bytes } = bodyOf('two')
    shared.set(bytes, 10)
    const window = shared.subarray(10, 10 + bytes.length)
    const names = await namesIn(intake, { ...bodyOf(), bytes: window })
    expect([names, shared.buffer.detached]).toEqual(['two', false])
  })

  test('answers each of many at once with its own', async () => {
    const intake = open(2)
    const names = Array.from({ length: 50 }, (_, at) => `span ${at}`)
    const answers = await Promise.all(names.map((name) => namesIn(intake, bodyOf(name))))
    expect(answers).toEqual(names)
  })

  test('refuses a body that is none, as the contract says', async () => {
    const bytes = new TextEncoder().encode('[]')
    const refused = take(open(), {
      bytes,
      encoding: 'json',
      compression: 'identity',
    })
    await expect(refused).rejects.toThrow(Failure)
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
  })

  test('T34 refuses twenty bombs at once, one after the other', async () => {
    const intake = open()
    const bomb = gzipped({ ...bodyOf(), bytes: new Uint8Array(2 ** 25 + 1) })
    const bombs = Array.from({ length: 20 }, () => ({ ...bomb, bytes: bomb.bytes.slice() }))
    const outcomes = await Promise.allSettled(bombs.map((body) => take(intake, body)))
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : ''))
    expect(new Set(reasons)).toEqual(new Set(['Failure: OTLP payload is too large.']))
  })

  test('refuses for a while what would be too much at once', async () => {
    const intake = open()
    // Counted with what they may become: 32 MiB each.
    const large = () =>
      take(intake, {
        ...bodyOf(),
        bytes: new Uint8Array(2 ** 22),
        compression: 'gzip',
      })
    const waiting = Array.from({ length: 8 }, large)
    await expect(large()).rejects.toThrow(Unavailable)
    await Promise.allSettled(waiting)
    expect(await namesIn(intake, bodyOf('after'))).toBe('after')
  })
})

describe('a thread that fails', () => {
  test('at one body serves the next', async () => {
    const intake = open()
    await expect(take(intake, bodyOf('throw'))).rejects.toThrow('a defect of the packer')
    expect(await namesIn(intake, bodyOf('after'))).toBe('after')
  })

  test('and dies rejects what it had, to be sent again, and is replaced', async () => {
    const intake = open()
    const outcomes = await Promise.allSettled([
      take(intake, bodyOf('die')),
      take(intake, bodyOf('behind')),
    ])
    const lost = { status: 'rejected', reason: expect.any(Unavailable) }
    expect(outcomes).toEqual([lost, lost])
    expect(await namesIn(intake, bodyOf('after'))).toBe('after')
  })

  test('to start rejects the body, and is tried again with the next', async () => {
    const log = openLog('debug', (line) => logged.push(line))
    const missing = new URL('./no-such-thread.ts', import.meta.url)
    const intake = openIntake({ engine: 'sqlite', log, thread: missing })
    opened.push(intake)
    await expect(take(intake, bodyOf('one'))).rejects.toThrow(Unavailable)
    await expect(take(intake, bodyOf('two'))).rejects.toThrow(Unavailable)
    expect(logged.join()).toContain('the intake thread failed')
  })
})

test('closing waits for what is under way', async () => {
  const intake = open()
  const waiting = [take(intake, bodyOf('one')), take(intake, bodyOf('two'))]
  await intake.close()
  const settled = await Promise.all(waiting)
  expect(settled.map(({ packed }) => packed.spanCount)).toEqual([1, 1])
})
