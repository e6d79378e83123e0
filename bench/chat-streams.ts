import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { streamReply } from '@assay/contract/chat-stream.ts'
import type { ProjectSlugs } from '@assay/contract/fields.ts'
import { limits } from '@assay/contract/limits.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { callAs, type RunningService, runService, setUpService } from '../e2e/running-service.ts'
import { startSession } from '../server/src/accounts/session.ts'
import { systemClock } from '../server/src/platform/clock.ts'
import { openAccounts } from '../server/src/storage/accounts/connect.ts'
import { silent } from '../server/test/accounts-database.ts'
import { addMember, addTenant, addUser } from '../server/test/people.ts'
import { startScriptedModel } from '../server/test/scripted-model.ts'
import type { Piece } from '../server/test/scripted-stream.ts'
import { ms, type Row, row, writeSection } from './page.ts'

/*
 * `npm run bench:chat`: as many replies at once as one process writes, and writes the time to their first event and
 * what they take into docs/benchmarks.md.
 */

/** Each of an organization of their own. Fewer than the limit: who has many must leave room for others. */
const users = 45
const wordsPerSecond = 10
const seconds = 20

interface Person extends ProjectSlugs {
  readonly cookie: string
}

interface OpenReply {
  readonly firstEventMs: number
  /** Resolves with the whole stream. */
  readonly ended: Promise<string>
}

const model = await startScriptedModel()
const { service, people } = await prepare()
try {
  console.log(
    writeSection(
      'Chat replies at once',
      'Written by `npm run bench:chat`. The provider, the readers and the service share one machine; each reply has a reader of its own.',
      await measure(),
    ),
  )
} finally {
  await service.stop()
  await model.close()
}

async function measure(): Promise<Row[]> {
  const alone = await measureAlone()
  await untilNoneCounts()
  const idleMegabytes = residentMegabytes()
  const gate = Promise.withResolvers<void>()
  play(['First. ', { until: gate.promise }])
  const silentReplies = await openAll()
  const perReplyKb = (1024 * (residentMegabytes() - idleMegabytes)) / silentReplies.length
  gate.resolve()
  await allOf(silentReplies)
  await untilNoneCounts()
  play(Array.from({ length: seconds * wordsPerSecond }, () => 'word '))
  const replies = await openAll()
  const delays = await measureDelays(allOf(replies))
  const texts = await allOf(replies)
  const complete = texts.filter((text) => text.includes('"finish_reason":"stop"')).length
  const firsts = silentReplies.map(({ firstEventMs }) => firstEventMs)
  return [
    row('One reply: from the request to its first event', '', `p50 ${ms(quantile(alone, 0.5))}`),
    row(
      `${firsts.length} replies of ${users} users that begin at once: the same`,
      '',
      `p50 ${ms(quantile(firsts, 0.5))}, p99 ${ms(quantile(firsts, 0.99))}`,
    ),
    row(
      'Memory per reply with its connections, while the provider is silent',
      '',
      `${perReplyKb.toFixed(0)} KB`,
      `${idleMegabytes.toFixed(0)} MB without replies`,
    ),
    row(
      `A request of somebody else while ${replies.length} replies get ${wordsPerSecond} words per second each`,
      '',
      `p50 ${ms(quantile(delays, 0.5))}, p99 ${ms(quantile(delays, 0.99))}`,
      `${complete} of ${replies.length} replies complete`,
    ),
  ]
}

/** What each reply gets. */
function play(pieces: readonly Piece[]): void {
  model.always(({ body }) =>
    body['stream'] === true ? { pieces, perSecond: wordsPerSecond } : { answer: 'Returns' },
  )
}

function allOf(replies: readonly OpenReply[]): Promise<string[]> {
  return Promise.all(replies.map(({ ended }) => ended))
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** A reply counts until its trace is stored. */
function untilNoneCounts(): Promise<void> {
  return sleep(3000)
}

/** One after the other. */
async function measureAlone(): Promise<readonly number[]> {
  model.always({ answer: 'Hello.' })
  const times: number[] = []
  for (const person of people.slice(0, 30)) {
    const { firstEventMs, ended } = await open(person)
    await ended
    times.push(firstEventMs)
  }
  return times
}

function openAll(): Promise<readonly OpenReply[]> {
  const each = Array.from({ length: limits.chatRepliesOfUser.value }, () => people).flat()
  return Promise.all(each.map(open))
}

async function open({ org, project, cookie }: Person): Promise<OpenReply> {
  const startedAt = performance.now()
  const response = await fetch(service.chatApi + streamReply.path, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ org, project, message: 'Hello, how long may I return an item?' }),
  })
  if (response.body === null || response.status !== 200)
    throw new Error(`no stream: ${response.status} ${await response.text()}`)
  const first = Promise.withResolvers<number>()
  const ended = readText(response.body, () => first.resolve(performance.now() - startedAt))
  return { firstEventMs: await first.promise, ended }
}

async function readText(body: NonNullable<Response['body']>, onFirst: () => void): Promise<string> {
  let text = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece
    onFirst()
  }
  return text
}

/** Of a request of somebody else every 100 ms. */
async function measureDelays(until: Promise<unknown>): Promise<readonly number[]> {
  const delays: number[] = []
  let hasEnded = false
  void until.finally(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    const startedAt = performance.now()
    await fetch(`${service.api}/setup`).then((response) => response.text())
    delays.push(performance.now() - startedAt)
    await sleep(100)
  }
  return delays
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? Number.NaN
}

/** Users are inserted: signing them up would take longer than the measurement. */
async function prepare(): Promise<{ service: RunningService; people: readonly Person[] }> {
  const first = await runService()
  const account = await setUpService(first)
  await first.stop()
  const { dataDir } = first
  const accounts = await openAccounts({ dataDir }, silent)
  const people: Person[] = []
  const organizationIds: string[] = []
  for (let at = 0; at < users; at++) {
    const { organizationId } = await addTenant(accounts)
    await addMember(accounts, organizationId, account.user.id, 'Owner')
    organizationIds.push(organizationId)
    const user = await addUser(accounts)
    await addMember(accounts, organizationId, user.id, 'Viewer')
    const client = { address: '127.0.0.1', userAgent: null }
    const session = await startSession(user, { method: 'password' }, client, accounts, systemClock)
    const organization = await accounts.organizations.find(organizationId)
    if (typeof session === 'string' || organization === undefined)
      throw new Error('The user could not sign in.')
    const cookie = `assay_session=${session.token}`
    people.push({ org: organization.slug, project: 'project', cookie })
  }
  await accounts.close()
  const started = await runService({ dataDir })
  for (const orgId of organizationIds) {
    await callAs(started, account)(createModelConfig, {
      params: { orgId },
      body: {
        label: 'Model',
        provider: 'openai-compatible',
        model: 'model-1',
        base_url: model.url,
      },
    })
  }
  return { service: started, people }
}
