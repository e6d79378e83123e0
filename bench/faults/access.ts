import { setTimeout as sleep } from 'node:timers/promises'
import { buildPath, call } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { changeRole, removeMember } from '@assay/contract/members.ts'
import { listOrganizations, listProjects } from '@assay/contract/organizations.ts'
import { signOut } from '@assay/contract/sign-in.ts'
import { createTracingKey, revokeTracingKey } from '@assay/contract/tracing-keys.ts'
import { type Fault, judge } from './fault.ts'
import { openPeople } from './people.ts'
import { type Rig, withRig } from './rig.ts'

/*
 * Access ends while it is used.
 */

interface Attempt {
  readonly sentAt: number
  readonly isAccepted: boolean
}

interface Race {
  /** Attempts that were accepted although they began after the response to the revocation. */
  readonly late: number
  readonly accepted: number
  readonly refused: number
}

/** Sends requests every 10 ms while access is revoked in the middle. */
async function race(
  attempt: () => Promise<Response>,
  revoke: () => Promise<unknown>,
): Promise<Race> {
  const attempts: Promise<Attempt>[] = []
  const sendFor = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const sentAt = performance.now()
      attempts.push(
        attempt().then(async (response) => {
          await response.arrayBuffer()
          return { sentAt, isAccepted: response.ok }
        }),
      )
      await sleep(10)
    }
  }
  const sending = sendFor(60)
  await sleep(200)
  await revoke()
  const revokedAt = performance.now()
  await sending
  const ended = await Promise.all(attempts)
  const accepted = ended.filter(({ isAccepted }) => isAccepted)
  return {
    late: accepted.filter(({ sentAt }) => sentAt > revokedAt).length,
    accepted: accepted.length,
    refused: ended.length - accepted.length,
  }
}

async function raceKey(rig: Rig): Promise<Race> {
  const { api } = rig.service()
  const params = { projectId: rig.owner.project.id }
  const as = { headers: rig.owner.session }
  const { id, key } = await call(api, createTracingKey, { params, body: {} }, as)
  const started_at = new Date().toISOString()
  const body = JSON.stringify({ trace_id: id, spans: [{ span_id: 'a', name: 'a', started_at }] })
  return race(
    () =>
      fetch(api + ingestTrace.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tracing-key': key },
        body,
      }),
    () => call(api, revokeTracingKey, { params: { ...params, keyId: id } }, as),
  )
}

/** Each ends the access of one person, who uses it at the same time. */
async function racePeople(rig: Rig, rounds: number): Promise<readonly Race[]> {
  const { api } = rig.service()
  const orgId = rig.owner.organization.id
  const as = { headers: rig.owner.session }
  const people = await openPeople(rig, rounds * 3)
  const races: Race[] = []
  for (const [n, { userId, cookie }] of people.entries()) {
    const member = { orgId, userId }
    const own = { headers: { cookie } }
    const [ending, attempt] = [
      [
        () => call(api, changeRole, { params: member, body: { role: 'Viewer' } }, as),
        () => tryKey(rig, cookie),
      ],
      [
        () => call(api, removeMember, { params: member }, as),
        () => fetch(`${api}${buildPath(listProjects, { orgId })}`, own),
      ],
      [() => call(api, signOut, {}, own), () => fetch(`${api}${listOrganizations.path}`, own)],
    ][n % 3] as [() => Promise<unknown>, () => Promise<Response>]
    if (n % 3 === 0) await call(api, changeRole, { params: member, body: { role: 'Admin' } }, as)
    races.push(await race(attempt, ending))
  }
  return races
}

/** Needs the permission of an Admin. */
function tryKey(rig: Rig, cookie: string): Promise<Response> {
  const params = { projectId: rig.owner.project.id }
  return fetch(rig.service().api + buildPath(createTracingKey, params), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: '{}',
  })
}

const revocations: Fault = {
  number: 29,
  fault: 'a key is revoked, a role reduced, a member removed, a session ended, with 100 requests/s',
  promise: 'effective from the next request',
  target: '0 requests accepted that began after the response to the revocation',
  async measure({ isQuick }) {
    const rounds = isQuick ? 1 : 8
    return await withRig({ env: { ASSAY_TRUST_PROXY: '1' } }, async (rig) => {
      const keys: Race[] = []
      for (let n = 0; n < rounds * 3; n++) keys.push(await raceKey(rig))
      const people = await racePeople(rig, rounds)
      const all = [...keys, ...people]
      const sum = (field: keyof Race) => all.reduce((total, one) => total + one[field], 0)
      const measured = `${keys.length} keys and ${people.length} people: ${sum('accepted')} requests accepted, ${sum('refused')} refused, ${sum('late')} accepted too late`
      return judge(measured, {
        'none accepted too late': sum('late') === 0,
        'each race had both': all.every(({ accepted, refused }) => accepted > 0 && refused > 0),
      })
    })
  },
}

export const accessFaults: readonly Fault[] = [revocations]
